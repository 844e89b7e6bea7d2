package io.github.zklock.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A running Chromium without a window, with a profile of its own and without anything that it would ask on its own. */
final class Chromium implements AutoCloseable {

    private final ChromeDriver driver;
    private final Path profile;

    private Chromium(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    static Chromium start() {
        Path profile = newProfile();
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Program.DRIVER.required().toFile())
                .usingAnyFreePort()
                .build();
        return new Chromium(new ChromeDriver(service, options(profile)), profile);
    }

    ChromeDriver driver() {
        return driver;
    }

    @Override
    public void close() {
        driver.quit();
        deleteProfile();
    }

    private static ChromeOptions options(Path profile) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Program.BROWSER.required().toFile());
        options.setCapability("goog:loggingPrefs", logs);
        return options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--no-default-browser-check",
                "--hide-scrollbars",
                "--lang=en-US",
                // whatever is not this machine does not exist
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
                "--user-data-dir=" + profile);
    }

    private static Path newProfile() {
        try {
            return Files.createTempDirectory("zk-lock-browser");
        } catch (IOException e) {
            throw new UncheckedIOException("There is no place for the browser's profile", e);
        }
    }

    private void deleteProfile() {
        try (Stream<Path> all = Files.walk(profile)) {
            List<Path> children = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : children) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stillWrittenTo) {
            // a process of the browser may write its last file; the system cleans its folder of temporary files
        }
    }
}
