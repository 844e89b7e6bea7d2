package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.fixture.Operator;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** The endpoint with malicious names, seats and folders. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HostileEndpointTests {

    private static final String ENDPOINT = "/actuator/zklocks";
    private static final String QUEUE = "$.registries.zkLockRegistry";
    private static final String SEAT = "/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-";

    private final ShopApplication shop;
    private final Operator stranger;

    HostileEndpointTests(WebApplicationType type) {
        shop = new ShopApplication(
                type, "management.endpoint.zklocks.access=unrestricted", "zk.lock.connection-timeout=60s");
        stranger = new Operator(shop.server().connectString());
    }

    @BeforeAll
    void connect() throws Exception {
        shop.registry().lock("/warm").acquire(Duration.ofSeconds(60)).close();
    }

    @AfterAll
    void stop() {
        stranger.close();
        shop.close();
    }

    static Stream<String> names() {
        return Stream.of(
                "/..",
                "/%2e%2e",
                "/%2e%2e/zookeeper",
                "/%2e%2e%2f%2e%2e%2fzookeeper",
                "/..%2f..%2fzookeeper",
                "/a/%2e%2e/b",
                "/a/..;/b",
                "/a;b=c/d",
                "/%252e%252e%252f",
                "/a%2F%2Fb",
                "/a//b",
                "/%00",
                "/a%00",
                "/a%0Ab",
                "/a%0D%0AX-Injected:%20yes",
                "/a%C2%85b",
                "/a%E2%80%A8b",
                "/a%7F",
                "/%ED%A0%80",
                "/%FF%FE",
                "/%EF%A3%BF",
                "/%20",
                "/%20a%20",
                "/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-0000000000",
                "/permits-2-of-3-",
                "/%23%7BT(java.lang.Runtime).getRuntime()%7D",
                "/$%7Bspring.application.name%7D",
                "/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
                "/" + "x".repeat(600),
                "/" + "x".repeat(10_000),
                "?prefix=%2e%2e%2f",
                "?prefix=/a/../b",
                "?prefix=/a%0Ab",
                "?after=%00&limit=1",
                "?limit=2147483647",
                "?limit=-1",
                "?registry=%0D%0AX-Injected:%20yes");
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachNameIsOneLockOrIsRejectedWithoutTrace(String name) {
        List<String> before = shop.server().treeBelow("/");

        assertHarmless(shop.get(ENDPOINT + name));
        if (name.startsWith("/")) {
            assertHarmless(shop.delete(ENDPOINT + name + "?seat=%0Ax"));
        }

        assertThat(shop.server().treeBelow("/")).isEqualTo(before);
    }

    private static void assertHarmless(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isIn(200, 400, 404, 405, 409, 414, 431);
        assertThat(answer.headers().map().keySet()).noneMatch("X-Injected"::equalsIgnoreCase);
        assertThat(answer.body()).hasSizeLessThan(20_000).doesNotContain("/zookeeper/quota");
        if (answer.statusCode() == 200 && answer.body().contains("\"name\"")) {
            String told = JsonPath.read(answer.body(), "$.name");
            assertThat(LockName.of(told).value()).isEqualTo(told);
            assertThat(answer.body()).contains("\"seats\":[]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"instance\":\"\\ud800\",\"host\":\"\\ude00x\",\"thread\":\"a\\u2028b\\u0085c\\r\\nd\"}",
                "{\"instance\":\"<script>alert(1)</script>\",\"host\":\"'\\\"><img src=x>\",\"pid\":-9223372036854775808}",
                "{\"instance\":\"a\",\"since\":\"+1000000000-12-31T23:59:59.999999999Z\"}",
                "{\"instance\":\"a\",\"since\":\"-1000000000-01-01T00:00:00Z\"}",
                "{\"instance\":7,\"host\":[],\"pid\":1e999}",
                "{\"instance\":{\"instance\":{}}}",
                "\u0000\u0001{["
            })
    void anyTextOfAnOwnerIsValidJson(String data) {
        String seat = stranger.create("/locks/owned" + SEAT, data, CreateMode.EPHEMERAL_SEQUENTIAL);

        HttpResponse<String> answer = shop.get(ENDPOINT + "/owned");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(JsonPath.<List<Map<String, Object>>>read(answer.body(), QUEUE + ".seats"))
                .singleElement()
                .satisfies(told -> assertThat(told.toString())
                        .hasSizeLessThan(1_000)
                        .doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]"));
        stranger.delete(seat);
    }

    @Test
    void ownersOfNearlyAMegabyteAreNotPassedOn() {
        String large = "{\"instance\":\"" + "x".repeat(900_000) + "\"}";
        List<String> seats = Stream.generate(() -> "/locks/large" + SEAT)
                .limit(20)
                .map(seat -> stranger.create(seat, large, CreateMode.EPHEMERAL_SEQUENTIAL))
                .toList();

        HttpResponse<String> answer = shop.get(ENDPOINT + "/large");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<Integer>read(answer.body(), QUEUE + ".length")).isEqualTo(20);
        assertThat(answer.body()).hasSizeLessThan(10_000);
        seats.forEach(stranger::delete);
    }

    @Test
    void seatsBeyondTheLimitAreOnlyCounted() {
        for (int i = 0; i < 1_100; i++) {
            stranger.create("/locks/long/lock-", "", CreateMode.EPHEMERAL_SEQUENTIAL);
        }

        HttpResponse<String> answer = shop.get(ENDPOINT + "/long");

        assertThat(JsonPath.<Integer>read(answer.body(), QUEUE + ".length")).isEqualTo(1_100);
        assertThat(JsonPath.<List<?>>read(answer.body(), QUEUE + ".seats")).hasSize(LocksReport.LONGEST_LIST);
    }

    @Test
    void foldersThatAreNotLocksAreNotListed() throws Exception {
        LockHandle held = shop.registry().lock("/shown/a").acquire();
        try (held) {
            for (String folder : List.of("/_zz", "/a b", "/Ł", "/_c_x", "/locks", "/a/_", "/a/\uFFEF")) {
                stranger.create("/locks/shown" + folder, "x", CreateMode.PERSISTENT);
            }

            HttpResponse<String> answer = shop.get(ENDPOINT + "?prefix=/shown");

            assertThat(JsonPath.<List<String>>read(answer.body(), QUEUE + ".names.page"))
                    .containsExactly(held.name().value());
        }
        // other tests compare the nodes before and after
        held.released().toCompletableFuture().join();
    }
}
