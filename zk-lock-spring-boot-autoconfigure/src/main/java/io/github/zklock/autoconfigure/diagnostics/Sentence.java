package io.github.zklock.autoconfigure.diagnostics;

import org.springframework.util.StringUtils;

/** Makes a sentence of a remedy, which exceptions carry in lower case and without a period. */
final class Sentence {

    private Sentence() {}

    static String of(String remedy) {
        return StringUtils.capitalize(remedy) + (remedy.endsWith(".") ? "" : ".");
    }
}
