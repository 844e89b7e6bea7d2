package io.github.zklock.console;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The files of the page, which are read from the class path. */
final class ConsoleHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources()
                .registerPattern("io/github/zklock/console/*.html")
                .registerPattern("io/github/zklock/console/*.css")
                .registerPattern("io/github/zklock/console/*.js")
                .registerPattern("io/github/zklock/console/*.svg");
    }
}
