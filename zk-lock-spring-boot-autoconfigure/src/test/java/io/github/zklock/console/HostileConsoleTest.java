package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.console.Browser.Answer;
import io.github.zklock.fixture.Operator;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** What the console makes of names, seats and folders that somebody chose to break it, or whom it shows. */
class HostileConsoleTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String API = "/zk-lock/api";
    private static final String SEAT = "/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-";

    private static ConsoleApplication shop;
    private static Browser browser;
    private static Operator stranger;

    @BeforeAll
    static void start() throws Exception {
        shop = new ConsoleApplication(
                WebApplicationType.SERVLET, ConsoleApplication.Plain.class, "zk.lock.connection-timeout=60s");
        browser = shop.browser();
        stranger = new Operator(shop.server().connectString());
        LockHandle warm = shop.registry().lock("/warm").acquire(LONG);
        warm.close();
        warm.released().toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @AfterAll
    static void stop() {
        stranger.close();
        shop.close();
    }

    static Stream<String> names() {
        return Stream.of(
                "..",
                "/../zookeeper",
                "a/../b",
                "%2e%2e%2f",
                "\u0000",
                "a\nb",
                "a\r\nX-Injected: yes",
                "a\u0085b",
                "a\u2028b",
                "a\u007F",
                "\uF8FF",
                "\uFFFF",
                " ",
                " a ",
                "a//b",
                "_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-0000000000",
                "permits-2-of-3-",
                "#{T(java.lang.Runtime).getRuntime()}",
                "${spring.application.name}",
                "<script>alert(1)</script>",
                "x".repeat(511),
                "x".repeat(600),
                "x".repeat(5_000));
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachNameIsOneLockOrRefusedAndLeavesNothing(String name) {
        List<String> before = shop.server().treeBelow("/");
        String query = URLEncoder.encode(name, StandardCharsets.UTF_8);
        String json = IntStream.range(0, name.length())
                .mapToObj(i -> "\\u%04x".formatted((int) name.charAt(i)))
                .reduce("", String::concat);

        assertHarmless(browser.get(API + "/queue?name=" + query));
        assertHarmless(browser.get(API + "/locks?search=" + query));
        assertHarmless(browser.get(API + "/locks?under=" + query));
        assertHarmless(browser.get(API + "/queue?name=a&registry=" + query));
        assertHarmless(browser.onThePage()
                .post(API + "/release", "{\"name\":\"%s\",\"seat\":\"x\",\"confirm\":\"%s\"}".formatted(json, json)));

        assertThat(shop.server().treeBelow("/")).isEqualTo(before);
    }

    @Test
    void halfACharacterIsNoName() {
        Answer answer = browser.onThePage()
                .post(API + "/release", "{\"name\":\"a\\ud800\",\"seat\":\"\\ud800\",\"confirm\":\"a\\ud800\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.<String>read("$.error")).contains("U+D800");
    }

    private static void assertHarmless(Answer answer) {
        assertThat(answer.status()).isIn(200, 400, 404, 413);
        assertThat(answer.header("X-Injected")).isEmpty();
        assertThat(answer.body().lines()).as("lines of JSON").hasSizeLessThanOrEqualTo(1);
        assertThat(answer.body()).hasSizeLessThan(60_000);
        Map<String, Object> members = answer.read("$");
        if (members.containsKey("name") && answer.status() == 200) {
            assertThat(LockName.of((String) members.get("name")).value()).isEqualTo(members.get("name"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"instance\":\"\\ud800\",\"host\":\"\\ude00x\",\"thread\":\"a\\u2028b\\u0085c\\r\\nd\"}",
                "{\"instance\":\"<script>alert(1)</script>\",\"host\":\"'\\\"><img src=x>\",\"pid\":-9223372036854775808}",
                "{\"instance\":\"a\",\"since\":\"+1000000000-12-31T23:59:59.999999999Z\"}",
                "{\"instance\":7,\"host\":[],\"pid\":1e999}",
                "\u0000\u0001{["
            })
    void whateverAnOwnerSaysIsShortTextInTheEnd(String data) {
        String seat = stranger.create("/locks/owned" + SEAT, data, CreateMode.EPHEMERAL_SEQUENTIAL);

        Answer answer = until("/queue?name=/owned", "$.seats[?(@.sequence == " + sequenceOf(seat) + ")]");

        assertThat(answer.<List<Map<String, Object>>>read("$.seats"))
                .singleElement()
                .satisfies(told -> assertThat(told.toString())
                        .hasSizeLessThan(1_000)
                        .doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]"));
        stranger.delete(seat);
    }

    @Test
    void manyLargeSeatsAreShownAsAFew() {
        String large = "{\"instance\":\"" + "x".repeat(900_000) + "\"}";
        stranger.create("/locks/long" + SEAT, large, CreateMode.EPHEMERAL_SEQUENTIAL);
        for (int i = 0; i < 400; i++) {
            stranger.create("/locks/long/lock-", "", CreateMode.EPHEMERAL_SEQUENTIAL);
        }

        Answer queue = until("/queue?name=/long", "$[?(@.length == 401)]");
        Answer locks = until("/locks?search=/long", "$.page[?(@.seats == 401)]");

        assertThat(queue.<List<?>>read("$.seats")).hasSize(Queues.LONGEST);
        assertThat(queue.body()).hasSizeLessThan(100_000);
        assertThat(locks.body()).hasSizeLessThan(10_000);
    }

    @Test
    void aSeatThatNothingEndsIsReleasedWithoutHarmToOthers() throws Exception {
        String forged = stranger.create("/locks/forged/lock-0000000000", "x", CreateMode.PERSISTENT);
        stranger.create(forged + "/below", "x", CreateMode.PERSISTENT);
        String order = "{\"name\":\"/forged\",\"seat\":\"lock-0000000000\",\"confirm\":\"/forged\"}";
        try (LockHandle other = shop.registry().lock("/other").acquire(LONG)) {
            Answer refused = browser.onThePage().post(API + "/release", order);
            stranger.delete(forged + "/below");
            Answer released = browser.onThePage().post(API + "/release", order);

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.<String>read("$.error")).contains(forged, "delete it with all that is below it");
            assertThat(released.status()).isEqualTo(200);
            assertThat(other.state()).isEqualTo(LockState.HELD);
        }
    }

    private static int sequenceOf(String seat) {
        return Integer.parseInt(seat.substring(seat.length() - 10));
    }

    private static Answer until(String question, String path) {
        return Awaitility.await()
                .atMost(LONG)
                .until(
                        () -> browser.get(API + question),
                        answer -> !JsonPath.<List<?>>read(answer.body(), path).isEmpty());
    }
}
