package com.example.ordershop.demo.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** HTTP client of a shop. An unexpected response is a {@link ScenarioException}. */
public final class ShopClient {

    static final String PRODUCT = "tea";

    /** Title of the problem detail after a lost lock. */
    private static final String LOCK_LOST = "\"title\":\"Lock lost\"";

    public record Order(long id, boolean completed) {}

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

    public record Row(String product, long orders, long amountCents, long fence) {}

    /**
     * The statistics of a day.
     *
     * @param truth totals of the completed orders
     */
    public record Statistics(List<Row> rows, long orders, long amountCents, Totals truth, boolean right, long refused) {

        public long fence() {
            return rows.stream().mapToLong(Row::fence).max().orElse(0);
        }
    }

    public record Gate(boolean closed, int waiting) {}

    public record Loss(String name, String reason) {}

    private record Shop(List<Loss> losses) {}

    /** Credentials of the account {@code admin} in application.yml. */
    private static final String ADMIN =
            "Basic " + Base64.getEncoder().encodeToString("admin:admin-dev-only".getBytes(StandardCharsets.UTF_8));

    private static final String CSRF_TOKEN = "demo";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String name;
    private final URI base;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ChildJvm.PATIENCE)
            .build();

    ShopClient(String name, URI base) {
        this.name = name;
        this.base = base;
    }

    public Order place(LocalDate day) throws InterruptedException {
        String body = JSON.writeValueAsString(new Wish(day.toString(), PRODUCT, 1));
        return send(post("/orders", BodyPublishers.ofString(body)), 201, Order.class);
    }

    public Completion complete(Order order, boolean guarded) throws InterruptedException {
        HttpRequest request = completion(order, guarded);
        HttpResponse<String> answer = answer(request);
        return isLoss(answer)
                ? new Completion(order.id(), Completion.LOST, null)
                : parsed(request, answer, 200, Completion.class);
    }

    /** Sends the request and does not wait for the response. */
    public CompletableFuture<Completion> completing(Order order) {
        HttpRequest request = completion(order, true);
        return http.sendAsync(request, BodyHandlers.ofString()).handle((answer, failed) -> {
            if (answer == null) {
                throw new CompletionException(noAnswer(request, failed));
            }
            return parsed(request, answer, 200, Completion.class);
        });
    }

    public Statistics statistics(LocalDate day) throws InterruptedException {
        return send(get("/statistics/check?day=" + day), 200, Statistics.class);
    }

    /** Returns the lock losses that zk-lock has reported to this shop. */
    public List<Loss> losses() throws InterruptedException {
        return send(get("/shop"), 200, Shop.class).losses();
    }

    public Gate gate() throws InterruptedException {
        return send(get("/gate"), 200, Gate.class);
    }

    public void closeGate() throws InterruptedException {
        send(post("/gate/close", BodyPublishers.noBody()), 200, Gate.class);
    }

    public void openGate() throws InterruptedException {
        send(post("/gate/open", BodyPublishers.noBody()), 200, Gate.class);
    }

    private record Wish(String day, String product, int quantity) {}

    private HttpRequest completion(Order order, boolean guarded) {
        return post(
                "/orders/" + order.id() + (guarded ? "/complete" : "/complete-without-lock"), BodyPublishers.noBody());
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(ChildJvm.PATIENCE)
                .header("Authorization", ADMIN)
                .build();
    }

    private HttpRequest post(String path, BodyPublisher body) {
        return HttpRequest.newBuilder(base.resolve(path))
                // a completion can wait for the session expiry of another holder
                .timeout(ChildJvm.PATIENCE.multipliedBy(2))
                .header("Content-Type", "application/json")
                .header("Authorization", ADMIN)
                // a cookie and a header with the same value: only pages of other sites cannot set both
                .header("Cookie", "XSRF-TOKEN=" + CSRF_TOKEN)
                .header("X-XSRF-TOKEN", CSRF_TOKEN)
                .POST(body)
                .build();
    }

    private <T> T send(HttpRequest request, int expected, Class<T> type) throws InterruptedException {
        return parsed(request, answer(request), expected, type);
    }

    private HttpResponse<String> answer(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw noAnswer(request, e);
        }
    }

    private static boolean isLoss(HttpResponse<String> answer) {
        return answer.statusCode() == 503 && answer.body().contains(LOCK_LOST);
    }

    private <T> T parsed(HttpRequest request, HttpResponse<String> answer, int expected, Class<T> type) {
        if (answer.statusCode() != expected) {
            throw new ScenarioException("%s answered %s with status %d instead of %d: %s"
                    .formatted(name, what(request), answer.statusCode(), expected, answer.body()));
        }
        try {
            return JSON.readValue(answer.body(), type);
        } catch (JacksonException e) {
            throw new ScenarioException(
                    "%s answered %s, but not with a %s: %s"
                            .formatted(name, what(request), type.getSimpleName(), answer.body()),
                    e);
        }
    }

    private ScenarioException noAnswer(HttpRequest request, Throwable failed) {
        return new ScenarioException(name + " did not answer " + what(request) + ": " + failed, failed);
    }

    private static String what(HttpRequest request) {
        return request.method() + " " + request.uri();
    }
}
