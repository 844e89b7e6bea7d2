package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Operator;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.zookeeper.CreateMode;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;

/** The endpoint over HTTP, with both kinds of web server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EndpointHttpTests {

    static final String ENDPOINT = "/actuator/zklocks";
    private static final String REGISTRY = "$.registries.zkLockRegistry";

    private final WebApplicationType type;
    private final String[] properties;
    ShopApplication shop;
    ZooKeeperLockRegistry other;

    EndpointHttpTests(WebApplicationType type, String... properties) {
        this.type = type;
        this.properties = properties;
    }

    @BeforeAll
    void start() {
        shop = new ShopApplication(type, properties);
        other = shop.otherProcess("billing-1");
    }

    @AfterAll
    void stop() {
        other.close();
        shop.close();
    }

    @Test
    void returnsTheLocksThatThisInstanceHolds() throws Exception {
        try (LockHandle handle = shop.registry().lock("/held/here").acquire()) {
            HttpResponse<String> answer = shop.get(ENDPOINT);

            assertThat(answer.statusCode()).isEqualTo(200);
            Map<String, Object> held = only(answer, REGISTRY + ".held[?(@.name == '/held/here')]");
            assertThat(held)
                    .containsEntry("kind", "EXCLUSIVE")
                    .containsEntry("permits", 1)
                    .containsEntry("state", "HELD")
                    .containsEntry("thread", Thread.currentThread().getName())
                    .containsEntry("token", Long.toString(handle.fencingToken().value()));
            assertThat(Duration.parse((String) held.get("heldFor"))).isLessThan(Duration.ofHours(1));
            assertThat(Duration.parse((String) held.get("remaining"))).isPositive();
        }
    }

    @Test
    void returnsTheLocksThatThisInstanceAwaits() throws Exception {
        try (LockHandle taken = other.lock("/awaited/here").acquire();
                Actor clerk = new Actor("clerk")) {
            Future<LockHandle> wait =
                    clerk.start(() -> shop.registry().lock("/awaited/here").acquire());
            Awaitility.await()
                    .until(() -> !shop.registry().inspector().awaited().isEmpty());

            HttpResponse<String> answer = shop.get(ENDPOINT);

            Map<String, Object> awaited = only(answer, REGISTRY + ".awaited[?(@.name == '/awaited/here')]");
            assertThat(awaited).containsEntry("kind", "EXCLUSIVE").containsEntry("thread", "clerk");
            taken.close();
            Actor.join(wait).close();
        }
    }

    @Test
    void listsAtMost1000HeldLocksAndCountsAll() throws Exception {
        List<LockHandle> held = new ArrayList<>();
        try {
            for (int i = 0; i < 1_001; i++) {
                held.add(shop.registry().lock("/many/" + i).acquire());
            }

            HttpResponse<String> answer = shop.get(ENDPOINT);

            assertThat(this.<List<?>>read(answer, REGISTRY + ".held")).hasSize(1_000);
            assertThat(this.<Integer>read(answer, REGISTRY + ".heldCount")).isEqualTo(1_001);
        } finally {
            held.forEach(LockHandle::close);
        }
    }

    @Test
    void returnsTheQueueOfALockInTheCluster() throws Exception {
        try (LockHandle taken = other.readWriteLock("/invoices/41").writeLock().acquire()) {
            HttpResponse<String> answer = shop.get(ENDPOINT + "/invoices/41");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(this.<String>read(answer, "$.name")).isEqualTo("/invoices/41");
            assertThat(this.<Integer>read(answer, REGISTRY + ".length")).isEqualTo(1);
            assertThat(this.<Map<String, Object>>read(answer, REGISTRY + ".seats[0]"))
                    .containsEntry("kind", "WRITE")
                    .containsEntry("holds", true);
            assertThat(this.<String>read(answer, REGISTRY + ".seats[0].owner.instance"))
                    .isEqualTo("billing-1");
        }
    }

    @Test
    void acceptsAnyLockNameInAUrl() throws Exception {
        for (Map.Entry<String, String> each : Map.of(
                        "/odd/50%", "/odd/50%25",
                        "/odd/a%2Fb", "/odd/a%252Fb",
                        "/odd/Grüße an Ö", "/odd/Gr%C3%BC%C3%9Fe%20an%20%C3%96",
                        "/odd/a+b", "/odd/a+b")
                .entrySet()) {
            try (LockHandle taken = other.lock(each.getKey()).acquire()) {
                HttpResponse<String> answer = shop.get(ENDPOINT + each.getValue());

                assertThat(this.<String>read(answer, "$.name"))
                        .isEqualTo(taken.name().value());
                assertThat(this.<Integer>read(answer, REGISTRY + ".length")).isEqualTo(1);
            }
        }
    }

    @Test
    void returnsAnEmptyQueueForAnUnusedLock() {
        HttpResponse<String> answer = shop.get(ENDPOINT + "/nobody/wants/it");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(this.<Integer>read(answer, REGISTRY + ".length")).isZero();
        assertThat(this.<List<?>>read(answer, REGISTRY + ".seats")).isEmpty();
    }

    @Test
    void encodesTextOfOtherClients() {
        try (Operator stranger = new Operator(shop.server().connectString())) {
            stranger.create(
                    "/locks/strange/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-",
                    "{\"instance\":\"a\\nWARN forged</script>\",\"host\":\"" + "h".repeat(3000)
                            + "\",\"since\":\"no time\"}",
                    CreateMode.EPHEMERAL_SEQUENTIAL);

            HttpResponse<String> answer = shop.get(ENDPOINT + "/strange");

            Map<String, Object> owner = read(answer, REGISTRY + ".seats[0].owner");
            assertThat(owner)
                    .containsEntry("instance", "a WARN forged</script>")
                    .doesNotContainKey("since");
            assertThat((String) owner.get("host")).hasSize(200);
            assertThat(answer.headers().firstValue("Content-Type").orElse("")).contains("json");
        }
    }

    @Test
    void returnsNamesPageByPage() throws Exception {
        try (LockHandle one = other.lock("/pages/1").acquire();
                LockHandle two = other.lock("/pages/2").acquire();
                LockHandle three = other.lock("/pages/3").acquire()) {
            HttpResponse<String> first = shop.get(ENDPOINT + "?prefix=/pages&limit=2");
            String next = read(first, REGISTRY + ".names.next");
            HttpResponse<String> second = shop.get(ENDPOINT + "?prefix=/pages&limit=2&after=" + next);

            assertThat(this.<List<String>>read(first, REGISTRY + ".names.page"))
                    .containsExactly(one.name().value(), two.name().value());
            assertThat(this.<Map<String, Object>>read(second, REGISTRY + ".names"))
                    .isEqualTo(Map.of("page", List.of(three.name().value())));
        }
    }

    @Test
    void tellsTheQueuesOfAPageLongestWaitFirst() throws Exception {
        try (LockHandle free = other.lock("/busy/1-held").acquire();
                LockHandle late = other.lock("/busy/2-awaited-late").acquire();
                LockHandle early = other.lock("/busy/3-awaited-early").acquire();
                Actor first = new Actor("first");
                Actor second = new Actor("second")) {
            Future<LockHandle> one = waiting(first, "/busy/3-awaited-early");
            Future<LockHandle> two = waiting(second, "/busy/2-awaited-late");

            HttpResponse<String> answer = shop.get(ENDPOINT + "?prefix=/busy&queues=true");

            List<Map<String, Object>> queues = read(answer, REGISTRY + ".names.queues");
            assertThat(queues)
                    .extracting(queue -> queue.get("name"))
                    .containsExactly(
                            early.name().value(),
                            late.name().value(),
                            free.name().value());
            assertThat(queues.get(0))
                    .containsEntry("kind", "EXCLUSIVE")
                    .containsEntry("holding", 1)
                    .containsEntry("waiting", 1)
                    .containsKey("waitingSince");
            assertThat(this.<String>read(answer, REGISTRY + ".names.queues[0].holder.instance"))
                    .isEqualTo("billing-1");
            early.close();
            late.close();
            Actor.join(one).close();
            Actor.join(two).close();
        }
    }

    @Test
    void aFreeLockHasANameAndNoQueue() throws Exception {
        other.lock("/free/1").acquire().close();
        Awaitility.await()
                .until(() -> shop.registry().inspector().queue("/free/1").isEmpty());

        HttpResponse<String> answer = shop.get(ENDPOINT + "?prefix=/free&queues=true");

        assertThat(this.<List<String>>read(answer, REGISTRY + ".names.page")).containsExactly("/free/1");
        assertThat(this.<List<?>>read(answer, REGISTRY + ".names.queues")).isEmpty();
    }

    @Test
    void countsWhatHappenedSoThatTwoReportsMakeARate() throws Exception {
        int before = read(shop.get(ENDPOINT), REGISTRY + ".totals.released");

        shop.registry().lock("/counted").acquire().close();

        Awaitility.await().until(() -> this.<Integer>read(shop.get(ENDPOINT), REGISTRY + ".totals.released") > before);
        assertThat(this.<Integer>read(shop.get(ENDPOINT), REGISTRY + ".totals.acquired"))
                .isPositive();
    }

    @Test
    void returnsTheInstanceAndTheTime() {
        HttpResponse<String> answer = shop.get(ENDPOINT);

        assertThat(this.<String>read(answer, "$.instance")).isEqualTo("shop-1");
        assertThat(Instant.parse(read(answer, "$.time"))).isBeforeOrEqualTo(Instant.now());
    }

    @Test
    void tellsTheQueueOfALockThatIsNamedByAParameter() throws Exception {
        try (LockHandle taken = other.lock("/odd/a%2Fb;c").acquire()) {
            HttpResponse<String> answer = shop.get(ENDPOINT + "?name=/odd/a%252Fb;c");

            assertThat(this.<String>read(answer, "$.name"))
                    .isEqualTo(taken.name().value());
            assertThat(this.<Integer>read(answer, REGISTRY + ".length")).isEqualTo(1);
        }
    }

    @Test
    void refusesBadInputWithTheReason() {
        assertRefused(shop.get(ENDPOINT + "?queues=true&limit=501"), "Page size 501");
        assertRefused(shop.get(ENDPOINT + "/a/%2E%2E%0A/b"), "control character");
        assertRefused(shop.get(ENDPOINT + "?limit=0"), "Page size 0");
        assertRefused(shop.get(ENDPOINT + "?registry=none"), "There is no registry 'none'");
        assertThat(shop.get(ENDPOINT + "?limit=many").statusCode()).isEqualTo(400);
    }

    @Test
    void theMetersAreBound() {
        HttpResponse<String> answer =
                shop.get("/actuator/metrics/zklock.session.connected?tag=registry:zkLockRegistry");

        assertThat(this.<Double>read(answer, "$.measurements[0].value")).isEqualTo(1.0);
    }

    @Test
    void answersOverJmxAsWell() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName endpoint = beans.queryNames(
                        new ObjectName("org.springframework.boot:type=Endpoint,name=Zklocks,*"), null)
                .iterator()
                .next();

        Object report = beans.invoke(endpoint, "queue", new Object[] {"/by/jmx", null}, new String[] {
            Object.class.getName(), String.class.getName()
        });

        assertThat(report).asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("name", "/by/jmx");
    }

    private Future<LockHandle> waiting(Actor actor, String name) {
        Future<LockHandle> wait = actor.start(() -> shop.registry().lock(name).acquire());
        Awaitility.await().until(() -> shop.registry().inspector().queue(name).size() == 2);
        return wait;
    }

    private void assertRefused(HttpResponse<String> answer, String reason) {
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(this.<String>read(answer, "$.error")).contains(reason);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    <T> T read(HttpResponse<String> answer, String path) {
        return JsonPath.read(answer.body(), path);
    }

    private Map<String, Object> only(HttpResponse<String> answer, String path) {
        List<Map<String, Object>> found = read(answer, path);
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
