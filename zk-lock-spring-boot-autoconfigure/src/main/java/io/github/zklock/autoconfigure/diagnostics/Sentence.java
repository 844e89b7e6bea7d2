package io.github.zklock.autoconfigure.diagnostics;

import org.springframework.util.StringUtils;

/** A remedy, which exceptions carry as the end of a sentence, as a sentence of its own. */
final class Sentence {

    private Sentence() {}

    static String of(String remedy) {
        return StringUtils.capitalize(remedy) + (remedy.endsWith(".") ? "" : ".");
    }
}
