package com.example.ordershop.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a shop can be asked over HTTP. Every other answer than the one hoped for is a {@link StageException}. */
final class ShopClient {

    static final String PRODUCT = "tea";

    /** How a shop calls it. */
    private static final String LOCK_LOST = "\"title\":\"Lock lost\"";

    record Order(long id, boolean completed) {}

    /** @param recomputed {@code WRITTEN}, {@code REFUSED}, or {@link #LOST} */
    record Completion(long id, String recomputed, @Nullable String token) {

        /** The lock was lost meanwhile: what was not committed by then was rolled back, and the order can be brought again. */
        static final String LOST = "LOST";

        boolean isWritten() {
            return recomputed.equals("WRITTEN");
        }

        boolean isRefused() {
            return recomputed.equals("REFUSED");
        }

        /** The token of the lock under which it was done; 0 without a lock. */
        long number() {
            return token == null ? 0 : Long.parseLong(token);
        }
    }

    record Totals(long orders, long amountCents) {}

    record Row(String product, long orders, long amountCents, long fence) {}

    /** @param truth what the completed orders themselves come to */
    record Statistics(List<Row> rows, long orders, long amountCents, Totals truth, boolean right, long refused) {

        long fence() {
            return rows.stream().mapToLong(Row::fence).max().orElse(0);
        }
    }

    record Gate(boolean closed, int waiting) {}

    record Loss(String name, String reason) {}

    private record Shop(List<Loss> losses) {}

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

    Order place(LocalDate day) throws InterruptedException {
        String body = JSON.writeValueAsString(new Wish(day.toString(), PRODUCT, 1));
        return send(post("/orders", BodyPublishers.ofString(body)), 201, Order.class);
    }

    Completion complete(Order order, boolean guarded) throws InterruptedException {
        HttpRequest request = completion(order, guarded);
        HttpResponse<String> answer = answer(request);
        return isLoss(answer)
                ? new Completion(order.id(), Completion.LOST, null)
                : parsed(request, answer, 200, Completion.class);
    }

    /** Does not wait for the answer. */
    CompletableFuture<Completion> completing(Order order) {
        HttpRequest request = completion(order, true);
        return http.sendAsync(request, BodyHandlers.ofString()).handle((answer, failed) -> {
            if (answer == null) {
                throw new CompletionException(noAnswer(request, failed));
            }
            return parsed(request, answer, 200, Completion.class);
        });
    }

    Statistics statistics(LocalDate day) throws InterruptedException {
        return send(get("/statistics?day=" + day), 200, Statistics.class);
    }

    /** The locks of which this shop knows that it has lost them. */
    List<Loss> losses() throws InterruptedException {
        return send(get("/shop"), 200, Shop.class).losses();
    }

    Gate gate() throws InterruptedException {
        return send(get("/gate"), 200, Gate.class);
    }

    void closeGate() throws InterruptedException {
        send(post("/gate/close", BodyPublishers.noBody()), 200, Gate.class);
    }

    void openGate() throws InterruptedException {
        send(post("/gate/open", BodyPublishers.noBody()), 200, Gate.class);
    }

    private record Wish(String day, String product, int quantity) {}

    private HttpRequest completion(Order order, boolean guarded) {
        return post("/orders/" + order.id() + "/complete?guarded=" + guarded, BodyPublishers.noBody());
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(ChildJvm.PATIENCE)
                .build();
    }

    private HttpRequest post(String path, BodyPublisher body) {
        return HttpRequest.newBuilder(base.resolve(path))
                // who completes an order may wait for a lock, and for a session before
                .timeout(ChildJvm.PATIENCE.multipliedBy(2))
                .header("Content-Type", "application/json")
                .POST(body)
                .build();
    }

    private <T> T send(HttpRequest request, int hoped, Class<T> type) throws InterruptedException {
        return parsed(request, answer(request), hoped, type);
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

    private <T> T parsed(HttpRequest request, HttpResponse<String> answer, int hoped, Class<T> type) {
        if (answer.statusCode() != hoped) {
            throw new StageException("%s answered %s with status %d instead of %d: %s"
                    .formatted(name, what(request), answer.statusCode(), hoped, answer.body()));
        }
        try {
            return JSON.readValue(answer.body(), type);
        } catch (JacksonException e) {
            throw new StageException(
                    "%s answered %s with something else than a %s: %s"
                            .formatted(name, what(request), type.getSimpleName(), answer.body()),
                    e);
        }
    }

    private StageException noAnswer(HttpRequest request, Throwable failed) {
        return new StageException(name + " gave no answer to " + what(request) + ": " + failed, failed);
    }

    private static String what(HttpRequest request) {
        return request.method() + " " + request.uri();
    }
}
