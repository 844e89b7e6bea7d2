package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a page did besides being shown: the errors that it logged, violations of its content security policy among them,
 * and the addresses that it asked. Not thread-safe.
 */
public final class PageRecord {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final JsonMapper JSON = new JsonMapper();

    private final ChromeDriver driver;
    private final List<String> errors = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private final List<Pattern> expected = new ArrayList<>();

    PageRecord(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Errors that contain a match of this are part of the test, a server that is stopped for example. */
    public void expectErrors(String regex) {
        expected.add(Pattern.compile(regex));
    }

    /** The errors so far, but for those that are expected. */
    public List<String> errors() {
        read();
        return errors.stream()
                .filter(error ->
                        expected.stream().noneMatch(each -> each.matcher(error).find()))
                .toList();
    }

    /** The addresses so far, with those of scripts, styles and pictures. */
    public List<String> requests() {
        read();
        return List.copyOf(requests);
    }

    void check() {
        assertThat(errors()).as("errors that the page logged").isEmpty();
        assertThat(requests()).as("requests").allMatch(PageRecord::staysHere);
    }

    /** What is logged of the page before is no part of it. */
    void begin() {
        read();
        errors.clear();
        requests.clear();
        expected.clear();
    }

    private void read() {
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .forEach(entry -> errors.add(entry.getMessage()));
        driver.manage().logs().get(LogType.PERFORMANCE).getAll().forEach(entry -> {
            JsonNode event = JSON.readTree(entry.getMessage()).path("message");
            if (event.path("method").asString("").equals("Network.requestWillBeSent")) {
                requests.add(event.at("/params/request/url").asString(""));
            }
        });
    }

    private static boolean staysHere(String address) {
        URI uri = URI.create(address);
        return !Set.of("http", "https", "ws", "wss").contains(uri.getScheme()) || THIS_MACHINE.contains(uri.getHost());
    }
}
