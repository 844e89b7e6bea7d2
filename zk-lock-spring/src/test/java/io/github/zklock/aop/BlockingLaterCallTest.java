package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnLost;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The registry has few threads, which answer all requests. Application code must not run on them. */
class BlockingLaterCallTest extends LaterCallTest {

    private static final int MORE_THAN_THE_REGISTRY_HAS_THREADS = 40;

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public Mono<Object> work(Object id, Supplier<Mono<Object>> body) {
            return body.get();
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public Mono<Object> interrupted(Object id, Mono<Object> body) {
            return body;
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public CompletableFuture<Object> interruptedStage(Object id, CompletableFuture<Object> stage) {
            return stage;
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void methodsThatBlockDoNotDelayTheLocksOfOthers() {
        CountDownLatch end = new CountDownLatch(1);
        List<CompletableFuture<Object>> blocked = IntStream.range(0, MORE_THAN_THE_REGISTRY_HAS_THREADS)
                .mapToObj(id -> orders.work(id, () -> {
                            awaitUninterruptibly(end);
                            return Mono.just("ran");
                        })
                        .toFuture())
                .toList();
        try {
            eventually(() -> held().size() == MORE_THAN_THE_REGISTRY_HAS_THREADS);

            assertThat(orders.work("other", () -> Mono.just("ran")).toFuture()).succeedsWithin(20, TimeUnit.SECONDS);
        } finally {
            end.countDown();
        }

        assertThat(blocked)
                .allSatisfy(each ->
                        assertThat(each).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran"));
    }

    @Test
    void aLossIsReportedToTheSubscriberOnAThreadThatMayBlock() throws InterruptedException {
        CompletableFuture<Object> result = orders.interrupted("1", Mono.never())
                .onErrorResume(lost -> Mono.just(Thread.currentThread().getName()))
                .toFuture();
        awaitHeld("/orders/1");

        lose("/orders/1");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).asString().startsWith("zk-lock-call-");
    }

    @Test
    void aLossIsReportedToTheCallerOnAThreadThatMayBlock() throws InterruptedException {
        CompletableFuture<String> result = orders.interruptedStage("1", new CompletableFuture<>())
                .handle((value, lost) -> Thread.currentThread().getName());
        awaitHeld("/orders/1");

        lose("/orders/1");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).asString().startsWith("zk-lock-call-");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
