package io.github.zklock.autoconfigure.diagnostics;

/** The order of analyzers that know better than Spring Boot's own of binding failures and missing methods. */
final class BeforeGeneralOnes {

    static final int ORDER = 0;

    private BeforeGeneralOnes() {}
}
