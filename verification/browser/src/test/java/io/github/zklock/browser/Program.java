package io.github.zklock.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What must be installed to drive a browser. */
enum Program {
    BROWSER("zk-lock.browser", "/usr/bin/chromium"),
    DRIVER("zk-lock.browser-driver", "/usr/bin/chromedriver");

    private final String property;
    private final String usualPath;

    Program(String property, String usualPath) {
        this.property = property;
        this.usualPath = usualPath;
    }

    /** Where it is: the system property decides, the usual place is asked only without it. */
    Optional<Path> path() {
        return Optional.of(candidate()).filter(Files::isExecutable);
    }

    Path required() {
        return path().orElseThrow(() -> new IllegalStateException(reasonOfAbsence()));
    }

    String reasonOfAbsence() {
        return candidate() + " cannot be run; install the packages chromium and chromium-driver, or name the file by -D"
                + property;
    }

    private Path candidate() {
        return Path.of(System.getProperty(property, usualPath));
    }
}
