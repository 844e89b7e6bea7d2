package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.console.Browser.Answer;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Operator;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** What the console answers over HTTP, with either kind of web server, below a path of the application's own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleHttpTests {

    private static final String CONSOLE = "/shop/zk-lock";
    private static final String REGISTRY = "$.registries[0]";

    private final WebApplicationType type;
    private final String[] properties;
    private ConsoleApplication shop;
    private ZooKeeperLockRegistry other;
    private Browser browser;

    ConsoleHttpTests(WebApplicationType type, String... properties) {
        this.type = type;
        this.properties = properties;
    }

    @BeforeAll
    void start() {
        shop = new ConsoleApplication(type, ConsoleApplication.Plain.class, properties);
        other = shop.otherProcess("billing-1");
        browser = shop.browser();
    }

    @AfterAll
    void stop() {
        other.close();
        shop.close();
    }

    @Test
    void leadsToThePageRelativeToWhatWasAskedFor() {
        Answer answer = browser.get(CONSOLE);

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).isEqualTo("zk-lock/");
    }

    @ParameterizedTest
    @CsvSource({"/, text/html", "/console.css, text/css", "/console.js, text/javascript", "/icon.svg, image/svg+xml"})
    void servesThePageWhichMayUseNothingButItself(String file, String contentType) {
        Answer answer = browser.get(CONSOLE + file);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith(contentType);
        assertThat(answer.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'none'");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(answer.body()).isNotEmpty();
    }

    @Test
    void doesNotSendAgainWhatTheBrowserHas() {
        String version = browser.get(CONSOLE + "/console.js").header("ETag");

        Answer answer = browser.with("If-None-Match", version).get(CONSOLE + "/console.js");

        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void answersABrowserAtThisMachineAlsoOverHttp2() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        HttpRequest state = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + browser.port() + CONSOLE + "/api/state"))
                .build();
        // over HTTP/1.1, as it asks for a better one
        client.send(state, HttpResponse.BodyHandlers.discarding());

        HttpResponse<String> answer = client.send(state, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/Console.class", "/none.js", "/%2e%2e/console.js", "/..%2fconsole.js", "/api", "/api/none", "//"
            })
    void servesNothingElse(String path) {
        assertThat(browser.get(CONSOLE + path).status()).isIn(400, 404);
    }

    @Test
    void tellsWhatIsHeldAndAwaitedHere() throws Exception {
        try (LockHandle handle = shop.registry().lock("/held").acquire();
                LockHandle taken = other.lock("/awaited").acquire();
                Actor clerk = new Actor("clerk")) {
            Future<LockHandle> wait =
                    clerk.start(() -> shop.registry().lock("/awaited").acquire());
            Awaitility.await()
                    .until(() -> !shop.registry().inspector().awaited().isEmpty());

            Answer answer = browser.get(CONSOLE + "/api/state");

            assertThat(answer.header("Content-Type")).isEqualTo("application/json");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.<String>read("$.application")).isEqualTo("shop");
            assertThat(answer.<String>read("$.instance")).isEqualTo("shop-1");
            assertThat(answer.<Integer>read("$.snapshotMillis")).isEqualTo(2000);
            assertThat(answer.<Boolean>read(REGISTRY + ".session.connected")).isTrue();
            assertThat(answer.<Integer>read(REGISTRY + ".session.timeoutMillis"))
                    .isEqualTo(20_000);
            assertThat(answer.only(REGISTRY + ".held[?(@.name == '/held')]"))
                    .containsEntry("kind", "EXCLUSIVE")
                    .containsEntry("state", "HELD")
                    .containsEntry("thread", Thread.currentThread().getName())
                    .containsEntry("token", handle.fencingToken().toString())
                    .containsKeys("seat", "heldMillis", "remainingMillis");
            assertThat(answer.only(REGISTRY + ".awaited[?(@.name == '/awaited')]"))
                    .containsEntry("thread", "clerk")
                    .containsKey("waitedMillis");
            taken.close();
            Actor.join(wait).close();
        }
    }

    @Test
    void tellsWhatHappenedLately() throws Exception {
        LockHandle lost = shop.registry().lock("/lost").acquire();
        shop.registry()
                .inspector()
                .evict(
                        "/lost",
                        shop.registry().inspector().queue("/lost").get(0).id());
        shop.registry().lock("/brief").acquire().close();

        Answer answer = until(
                "/api/state",
                state -> !state.<List<?>>read(REGISTRY + ".recentLosses[?(@.name == '/lost')]")
                        .isEmpty());

        assertThat(answer.only(REGISTRY + ".recentLosses[?(@.name == '/lost')]"))
                .containsEntry("token", lost.fencingToken().toString())
                .containsKeys("reason", "at");
        assertThat(answer.<List<?>>read(REGISTRY + ".history.points")).hasSize(60);
        assertThat(answer.<List<Integer>>read(REGISTRY + ".history.points[*].losses"))
                .anyMatch(losses -> losses > 0);
        assertThat(answer.<List<Integer>>read(REGISTRY + ".history.points[*].acquired"))
                .anyMatch(acquired -> acquired > 0);
    }

    @Test
    void tellsLocksOfTheClusterPageByPage() throws Exception {
        try (LockHandle one = other.lock("/pages/Alpha").acquire();
                LockHandle two = shop.registry().lock("/pages/beta").acquire();
                LockHandle three = other.lock("/pages/gamma").acquire()) {
            until("/api/locks?under=/pages", locks -> locks.<Integer>read("$.total") == 4);

            Answer first = browser.get(CONSOLE + "/api/locks?under=/pages&limit=2&offset=1");
            Answer found = browser.get(CONSOLE + "/api/locks?search=ALPH");

            assertThat(first.<List<String>>read("$.page[*].name"))
                    .containsExactly(one.name().value(), two.name().value());
            assertThat(first.only("$.page[?(@.name == '/pages/beta')]"))
                    .containsEntry("kind", "EXCLUSIVE")
                    .containsEntry("seats", 1)
                    .containsEntry("holding", 1)
                    .containsEntry("waiting", 0)
                    .containsEntry("here", "HELD")
                    .containsEntry(
                            "holders",
                            List.of(Map.of(
                                    "instance",
                                    "shop-1",
                                    "thread",
                                    Thread.currentThread().getName())));
            assertThat(first.<String>read("$.problem")).isNull();
            assertThat(first.<Boolean>read("$.truncated")).isFalse();
            assertThat(found.<List<String>>read("$.page[*].name")).containsExactly("/pages/Alpha");
            assertThat(found.<Integer>read("$.total")).isEqualTo(1);
            assertThat(three.isHeld()).isTrue();
        }
    }

    @Test
    void tellsTheQueueOfALock() throws Exception {
        try (LockHandle mine = shop.registry().readWriteLock("/q").readLock().acquire();
                LockHandle theirs = other.readWriteLock("/q").readLock().acquire()) {
            Answer answer = browser.get(CONSOLE + "/api/queue?name=/q");

            assertThat(answer.<Integer>read("$.length")).isEqualTo(2);
            assertThat(answer.only("$.seats[?(@.mine == true)]"))
                    .containsEntry("kind", "READ")
                    .containsEntry("holds", true)
                    .containsEntry("token", mine.fencingToken().toString());
            assertThat(answer.only("$.seats[?(@.mine == false)]")).containsEntry("token", null);
            assertThat(answer.<List<String>>read("$.seats[?(@.mine == false)].owner.instance"))
                    .containsExactly("billing-1");
            assertThat(theirs.isHeld()).isTrue();
        }
    }

    @Test
    void showsNamesOfAnyKindAndWhatStrangersWrote() throws Exception {
        String odd = "/odd/<img src=x onerror=alert(1)>\"'\\ \u00A0 Größe 50% \uD83D\uDD12";
        try (LockHandle taken = other.lock(odd).acquire();
                Operator stranger = new Operator(shop.server().connectString())) {
            stranger.create(
                    "/locks/odd/stranger/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-",
                    "{\"instance\":\"a\\nWARN\",\"host\":7,\"pid\":\"x\",\"since\":\"no time\"}",
                    CreateMode.EPHEMERAL_SEQUENTIAL);
            stranger.create("/locks/odd/stranger/-lock-0000000001x", "\u0000{[", CreateMode.PERSISTENT);
            stranger.create("/locks/odd/_zz", "", CreateMode.PERSISTENT);
            until("/api/locks?under=/odd", locks -> locks.<Integer>read("$.total") >= 3);

            Answer locks = browser.get(CONSOLE + "/api/locks?under=/odd");
            Answer queue = browser.get(CONSOLE + "/api/queue?name=" + encoded(odd));
            Answer theirs = browser.get(CONSOLE + "/api/queue?name=/odd/stranger");

            assertThat(locks.<List<String>>read("$.page[*].name")).contains(odd, "/odd/stranger");
            assertThat(queue.<String>read("$.name")).isEqualTo(taken.name().value());
            assertThat(queue.<Integer>read("$.length")).isEqualTo(1);
            assertThat(theirs.<Map<String, Object>>read("$.seats[0].owner"))
                    .containsEntry("instance", "a WARN")
                    .containsEntry("host", "")
                    .containsEntry("since", null);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/queue",
                "/api/queue?name=/a/../b",
                "/api/queue?name=/a%0Ab",
                "/api/queue?name=/q&limit=-1",
                "/api/locks?offset=x",
                "/api/locks?registry=none"
            })
    void refusesWhatCannotBeAsked(String question) {
        Answer answer = browser.get(CONSOLE + question);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.<String>read("$.error")).isNotEmpty();
    }

    @Test
    void aNameOfTenThousandCharactersBreaksNothing() {
        String name = "n".repeat(10_000);

        Answer asked = browser.get(CONSOLE + "/api/queue?name=" + name.substring(0, 4000));
        Answer posted = browser.onThePage().post(CONSOLE + "/api/release", order(name, "s", name));

        assertThat(asked.status()).isEqualTo(400);
        assertThat(posted.status()).isIn(400, 413);
        assertThat(browser.get(CONSOLE + "/api/state").status()).isEqualTo(200);
    }

    @Test
    void takesALockFromItsHolder() throws Exception {
        LockHandle stuck = other.lock("/stuck").acquire();
        String seat = seats("/stuck").get(0);

        Answer answer = browser.onThePage().post(CONSOLE + "/api/release", order("/stuck", seat, "/stuck"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.<String>read("$.outcome")).isEqualTo("RELEASED");
        assertThat(answer.<String>read("$.owner.instance")).isEqualTo("billing-1");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> stuck.state() == LockState.LOST);
        assertThat(browser.get(CONSOLE + "/api/queue?name=/stuck").<Integer>read("$.length"))
                .isZero();
        assertThat(browser.onThePage()
                        .post(CONSOLE + "/api/release", order("/stuck", seat, "/stuck"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void takesNothingFromWhoWaits() throws Exception {
        try (LockHandle taken = other.lock("/busy").acquire();
                Actor clerk = new Actor("clerk")) {
            Future<LockHandle> wait =
                    clerk.start(() -> shop.registry().lock("/busy").acquire());
            Awaitility.await().until(() -> seats("/busy").size() == 2);

            Answer answer = browser.onThePage()
                    .post(
                            CONSOLE + "/api/release",
                            order("/busy", seats("/busy").get(1), "/busy"));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(taken.isHeld()).isTrue();
            taken.close();
            Actor.join(wait).close();
        }
    }

    @Test
    void takesNothingUnlessThePageItselfAsksAndKnowsWhatFor() throws Exception {
        try (LockHandle safe = other.lock("/safe").acquire()) {
            String order = order("/safe", seats("/safe").get(0), "/safe");
            Browser page = browser.onThePage();
            Browser old = page.without("Sec-Fetch-Site");

            assertRefused(403, "Origin", page.without("Origin"), order);
            assertRefused(403, "another origin", old.with("Origin", "http://evil.example"), order);
            assertRefused(403, "another origin", old.with("Origin", "null"), order);
            assertRefused(403, "another origin", page.with("Sec-Fetch-Site", "cross-site"), order);
            assertRefused(403, "another origin", page.with("Sec-Fetch-Site", "same-site"), order);
            assertRefused(415, "application/json", page.with("Content-Type", "text/plain"), order);
            assertRefused(415, "application/json", page.without("Content-Type"), order);
            assertRefused(400, "not a JSON object", page, order.substring(1));
            assertRefused(400, "not a JSON object", page, "");
            assertRefused(400, "'confirm'", page, order("/safe", seats("/safe").get(0), "/saf"));
            assertRefused(400, "'seat'", page, "{\"name\":\"/safe\",\"confirm\":\"/safe\"}");
            assertRefused(413, "longer than", page, order + " ".repeat(20_000));
            assertThat(page.get(CONSOLE + "/api/release").status()).isEqualTo(405);
            assertThat(page.post(CONSOLE + "/api/state", "").status()).isEqualTo(405);
            assertThat(safe.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Host, shop.example.org",
        "Host, localhost.example.org",
        "X-Forwarded-For, 127.0.0.1",
        "X-Forwarded-Host, localhost",
        "Forwarded, for=127.0.0.1"
    })
    void isSilentToWhoMayNotBeAtThisMachine(String header, String value) {
        for (String path : List.of("", "/", "/console.js", "/api/state", "/api/locks", "/api/none")) {
            Answer answer = browser.with(header, value).get(CONSOLE + path);

            assertThat(answer.status()).as(path).isEqualTo(403);
            assertThat(answer.<String>read("$.error"))
                    .contains("zk.lock.console.remote-access=true", "Spring Security");
        }
    }

    @Test
    void showsInAnOutageWhatItKnewAndWhyThereIsNothingNewer() throws Exception {
        try (LockHandle known = other.lock("/known").acquire()) {
            until(
                    "/api/locks?search=/known",
                    locks -> locks.<List<?>>read("$.page[?(@.seats == 1)]").size() == 1);
            shop.network().refuse();
            try {
                Answer answer = until("/api/locks?search=/known", locks -> locks.read("$.problem") != null);

                assertThat(answer.<String>read("$.problem")).contains("ZooKeeper");
                assertThat(answer.only("$.page[0:1]"))
                        .containsEntry("name", known.name().value())
                        .containsEntry("seats", 1);
                assertThat(browser.get(CONSOLE + "/api/state").<Boolean>read(REGISTRY + ".session.connected"))
                        .isFalse();
                assertThat(browser.get(CONSOLE + "/api/queue?name=/unheard").<String>read("$.problem"))
                        .isNotEmpty();
            } finally {
                shop.network().heal();
            }
            until("/api/locks?search=/known", locks -> locks.read("$.problem") == null);
        }
    }

    private void assertRefused(int status, String reason, Browser from, String body) {
        Answer answer = from.post(CONSOLE + "/api/release", body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.<String>read("$.error")).contains(reason);
    }

    private Answer until(String path, Predicate<Answer> condition) {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> browser.get(CONSOLE + path), condition);
    }

    private List<String> seats(String name) throws InterruptedException {
        return shop.registry().inspector().queue(name).stream()
                .map(seat -> seat.id())
                .toList();
    }

    private static String order(String name, String seat, String confirm) {
        return "{\"registry\":\"zkLockRegistry\",\"name\":\"%s\",\"seat\":\"%s\",\"confirm\":\"%s\"}"
                .formatted(name, seat, confirm);
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
