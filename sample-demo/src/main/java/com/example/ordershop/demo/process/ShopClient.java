package com.example.ordershop.demo.process;

import java.net.http.HttpClient;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.HttpServerErrorException.ServiceUnavailable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** HTTP client of a shop. An unexpected response is a {@link ScenarioException}. */
public final class ShopClient {

    /** Title of the problem detail after a lost lock. */
    private static final String LOCK_LOST = "\"title\":\"Lock lost\"";

    private static final String CSRF_TOKEN = "demo";

    public record Order(long id) {}

    /**
     * The result of a completion.
     *
     * @param written false if the shop lost the lock and rolled back its transaction; the order can be completed again
     * @param token fencing token of a write under the lock; otherwise 0
     */
    public record Completion(long id, boolean written, long token) {}

    private record Completed(@Nullable String token) {}

    public record Totals(long orders, long amountCents) {}

    /**
     * The statistics of a day.
     *
     * @param truth totals of the completed orders
     */
    public record Statistics(long orders, long amountCents, Totals truth, boolean right) {

        /** Returns the number of completed orders that are not counted; negative if orders were counted twice. */
        public long lost() {
            return truth.orders() - orders;
        }

        /** Returns the numbers of completed, counted and lost orders as text. */
        public String numbers() {
            return "expected %d, found %d, lost %d".formatted(truth.orders(), orders, lost());
        }
    }

    public record Gate(int waiting) {}

    public record Loss(String name, String reason) {}

    /** A transaction that the fence rejected, because a later holder had begun one. */
    public record LateWrite(long token, long laterToken) {}

    private record Losses(List<Loss> losses) {}

    private record LateWrites(@Nullable LateWrite lateWrite) {}

    private final String name;
    private final RestClient http;

    ShopClient(String name, String address) {
        this.name = name;
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ChildJvm.PATIENCE)
                .build());
        // a completion can wait for the session expiry of another holder
        requests.setReadTimeout(ChildJvm.PATIENCE.multipliedBy(2));
        http = RestClient.builder()
                .requestFactory(requests)
                .baseUrl(address)
                .defaultHeaders(headers -> {
                    headers.setBasicAuth("admin", "admin-dev-only");
                    // a cookie and a header with the same value: only pages of other sites cannot set both
                    headers.set("Cookie", "XSRF-TOKEN=" + CSRF_TOKEN);
                    headers.set("X-XSRF-TOKEN", CSRF_TOKEN);
                })
                .build();
    }

    public Order place(LocalDate day) throws InterruptedException {
        return post("/orders", Map.of("day", day.toString(), "product", "tea", "quantity", 1), Order.class);
    }

    public Completion complete(Order order, boolean guarded) throws InterruptedException {
        try {
            String token = post(
                            "/orders/%d/%s".formatted(order.id(), guarded ? "complete" : "complete-without-lock"),
                            Map.of(),
                            Completed.class)
                    .token();
            return new Completion(order.id(), true, token == null ? 0 : Long.parseLong(token));
        } catch (ScenarioException failed) {
            if (failed.getCause() instanceof ServiceUnavailable answer
                    && answer.getResponseBodyAsString().contains(LOCK_LOST)) {
                return new Completion(order.id(), false, 0);
            }
            throw failed;
        }
    }

    /** Completes an order under the lock, and does not wait for the response. */
    public Future<Completion> completing(Order order) {
        FutureTask<Completion> completion = new FutureTask<>(() -> complete(order, true));
        Thread thread = new Thread(completion, "completing-" + order.id());
        thread.setDaemon(true);
        thread.start();
        return completion;
    }

    public Statistics statistics(LocalDate day) throws InterruptedException {
        return get("/statistics/check?day=" + day, Statistics.class);
    }

    /** Returns the losses of this lock that zk-lock has reported to this shop, latest first. */
    public List<Loss> losses(String lock) throws InterruptedException {
        return get("/shop", Losses.class).losses().stream()
                .filter(loss -> loss.name().equals(lock))
                .toList();
    }

    /** Returns the latest transaction of this shop that the fence has rejected. */
    public Optional<LateWrite> latestLateWrite() throws InterruptedException {
        return Optional.ofNullable(get("/shop", LateWrites.class).lateWrite());
    }

    /** Returns the number of writes that wait at the gate. */
    public int waitingAtGate() throws InterruptedException {
        return get("/gate", Gate.class).waiting();
    }

    public void closeGate() throws InterruptedException {
        post("/gate/close", Map.of(), Gate.class);
    }

    public void openGate() throws InterruptedException {
        post("/gate/open", Map.of(), Gate.class);
    }

    private <T> T get(String path, Class<T> type) throws InterruptedException {
        return exchange(http.get().uri(path), "GET " + path, type);
    }

    private <T> T post(String path, Map<String, ?> body, Class<T> type) throws InterruptedException {
        return exchange(
                http.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body), "POST " + path, type);
    }

    private <T> T exchange(RestClient.RequestHeadersSpec<?> request, String what, Class<T> type)
            throws InterruptedException {
        try {
            return Objects.requireNonNull(request.retrieve().body(type), what);
        } catch (RestClientException failed) {
            if (Thread.interrupted()) {
                throw new InterruptedException(name + " was asked: " + what);
            }
            throw new ScenarioException("%s, %s: %s".formatted(name, what, failed.getMessage()), failed);
        }
    }
}
