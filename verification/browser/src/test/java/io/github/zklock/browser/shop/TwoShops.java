package io.github.zklock.browser.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two shops on one database and one ZooKeeper, which is in the first one, with gates in front of the writes. */
final class TwoShops implements AutoCloseable {

    static final String FIRST = "shop-1";
    static final String SECOND = "shop-2";

    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final ShopProcess firstShop;
    private final ShopProcess secondShop;
    private final String first;
    private final String second;

    private TwoShops(ShopProcess firstShop, ShopProcess secondShop, String first, String second) {
        this.firstShop = firstShop;
        this.secondShop = secondShop;
        this.first = first;
        this.second = second;
    }

    static TwoShops open(Path folder, Duration longest) throws IOException, InterruptedException {
        CleanCopy.delete(folder);
        int zooKeeperPort = freePort();
        ShopProcess first = shop(folder, FIRST, zooKeeperPort);
        String firstAddress = first.address(longest);
        ShopProcess second = shop(folder, SECOND, zooKeeperPort);
        return new TwoShops(first, second, firstAddress, second.address(longest));
    }

    static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    String first() {
        return first;
    }

    String second() {
        return second;
    }

    void closeGates() throws IOException, InterruptedException {
        post(first + "/gate/close", "");
        post(second + "/gate/close", "");
    }

    void openGates() throws IOException, InterruptedException {
        post(first + "/gate/open", "");
        post(second + "/gate/open", "");
    }

    void awaitAtFirstGate(int waiting) {
        Awaitility.await(waiting + " completions wait at the gate")
                .atMost(Duration.ofSeconds(60))
                .until(() -> JSON.readTree(send(HttpRequest.newBuilder(URI.create(first + "/gate")))
                                        .body())
                                .path("waiting")
                                .asInt()
                        == waiting);
    }

    /** Has one order completed in the second shop, under the lock, and does not wait for it. */
    void completeAtTheSecond(String day) throws IOException, InterruptedException {
        JsonNode order = JSON.readTree(post(second + "/orders", """
                {"day": "%s", "product": "tea", "quantity": 1}""".formatted(day)));
        HttpRequest completion = asAdmin(HttpRequest.newBuilder(
                        URI.create(second + "/orders/" + order.path("id").asLong() + "/complete")))
                .POST(BodyPublishers.noBody())
                .build();
        CompletableFuture<HttpResponse<String>> unused = http.sendAsync(completion, BodyHandlers.ofString());
        assertThat(unused).isNotCancelled();
    }

    @Override
    public void close() {
        secondShop.close();
        firstShop.close();
    }

    private String post(String address, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)))
                .body();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(asAdmin(request).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode())
                .as("%s: %s", answer.uri(), answer.body())
                .isBetween(200, 299);
        return answer;
    }

    /** With credentials, and a CSRF token in cookie and header. */
    private static HttpRequest.Builder asAdmin(HttpRequest.Builder request) {
        String credentials = Base64.getEncoder().encodeToString("admin:admin-dev-only".getBytes(UTF_8));
        return request.header("Authorization", "Basic " + credentials)
                .header("Cookie", "XSRF-TOKEN=test")
                .header("X-XSRF-TOKEN", "test");
    }

    private static ShopProcess shop(Path folder, String name, int zooKeeperPort) {
        return ShopProcess.java(
                folder,
                Path.of("target", name + ".log").toAbsolutePath(),
                "--server.port=0",
                "--ordershop.instance=" + name,
                // waiters behind a gate wait as long as the test needs
                "--zk.lock.wait-time=10m",
                "--zk.lock.embedded.port=" + zooKeeperPort);
    }
}
