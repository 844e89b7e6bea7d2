package io.github.zklock.autoconfigure.diagnostics;

/**
 * The order of the analyzers, which are more specific than Spring Boot's analyzers of binding failures and missing
 * methods.
 */
final class BeforeGeneralOnes {

    static final int ORDER = 0;

    private BeforeGeneralOnes() {}
}
