package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The accessibility checks of axe-core. npm fetches the library, in the version and with the checksum of {@code
 * src/test/axe/package-lock.json}.
 */
final class Axe {

    private static final Path DECLARED = Path.of("src", "test", "axe");
    private static final Path FETCHED = Path.of("target", "axe");
    private static final int PATIENCE_SECONDS = 120;

    private static final String RUN = """
            const done = arguments[0];
            axe.run().then(({ violations, passes }) => done(passes.length === 0 ? ['nothing was checked']
                : violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`)),
              (error) => done([String(error)]));""";

    private final String library;

    private Axe(String library) {
        this.library = library;
    }

    /** Fetches the library; skips the test if that is not possible. */
    static Axe fetched() throws IOException, InterruptedException {
        Files.createDirectories(FETCHED);
        for (String file : List.of("package.json", "package-lock.json")) {
            Files.copy(DECLARED.resolve(file), FETCHED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        Path log = FETCHED.resolve("npm.log");
        Process npm;
        try {
            npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
                    .directory(FETCHED.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException noNpm) {
            return abort("SKIPPED: there is no npm, which fetches axe-core: " + noNpm.getMessage());
        }
        if (!npm.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            return abort("SKIPPED: npm cannot fetch axe-core: " + Files.readString(log));
        }
        return new Axe(Files.readString(FETCHED.resolve(Path.of("node_modules", "axe-core", "axe.min.js"))));
    }

    /** Fails if the page, as it is shown now, violates a rule. */
    void check(Browser browser, String state) {
        browser.script(library + "; window.axe = axe;");
        assertThat((List<?>) browser.driver().executeAsyncScript(RUN)).as(state).isEmpty();
    }
}
