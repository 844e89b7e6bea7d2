package com.example.ordershop.demo.process;

import java.net.http.HttpClient;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
     * The response to a completion.
     *
     * @param recomputed {@code WRITTEN}, {@code REFUSED}, or {@link #LOST}
     */
    public record Completion(
            long id, String recomputed, @Nullable String token) {

        /** The shop lost the lock and rolled back its transaction. The order can be completed again. */
        static final String LOST = "LOST";

        public boolean isWritten() {
            return recomputed.equals("WRITTEN");
        }

        public boolean isRefused() {
            return recomputed.equals("REFUSED");
        }

        /** Returns the fencing token; 0 without a lock. */
        public long number() {
            return token == null ? 0 : Long.parseLong(token);
        }
    }

    public record Totals(long orders, long amountCents) {}

    public record Row(long fence) {}

    /**
     * The statistics of a day.
     *
     * @param truth totals of the completed orders
     */
    public record Statistics(List<Row> rows, long orders, long amountCents, Totals truth, boolean right, long refused) {

        public long fence() {
            return rows.stream().mapToLong(Row::fence).max().orElse(0);
        }

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

    private record Losses(List<Loss> losses) {}

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
            return post(
                    "/orders/%d/%s".formatted(order.id(), guarded ? "complete" : "complete-without-lock"),
                    Map.of(),
                    Completion.class);
        } catch (ScenarioException failed) {
            if (failed.getCause() instanceof ServiceUnavailable answer
                    && answer.getResponseBodyAsString().contains(LOCK_LOST)) {
                return new Completion(order.id(), Completion.LOST, null);
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
