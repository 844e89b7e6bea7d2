package io.github.zklock.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;

/** The folder of pictures, {@code target/screenshots}. */
final class Screenshots {

    private static final Path FOLDER = Path.of("target", "screenshots");

    private Screenshots() {}

    /** What the window shows now, as {@code <name>.png}. */
    static Path take(Browser browser, String name) {
        try {
            Files.createDirectories(FOLDER);
            return Files.write(FOLDER.resolve(name + ".png"), browser.driver().getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException("The picture '" + name + "' cannot be written", e);
        }
    }

    /** As {@link #take}, for whoever looks for the reason of a failure, which counts for more than its picture. */
    static void ofFailure(Browser browser, String test) {
        try {
            take(browser, "failed-" + test);
        } catch (WebDriverException | UncheckedIOException noPicture) {
            System.err.println("No picture of the failed " + test + ": " + noPicture.getMessage());
        }
    }
}
