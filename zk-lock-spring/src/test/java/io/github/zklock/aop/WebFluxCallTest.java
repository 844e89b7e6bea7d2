package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.reactive.ReactiveLockContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

class WebFluxCallTest extends LaterCallTest {

    @RestController
    static class Orders {

        @GetMapping("/orders/{id}")
        @DistributedLock("/orders/#{#id}")
        public Mono<String> complete(@PathVariable("id") String id) {
            return ReactiveLockContext.assertHeld("/orders/" + id).thenReturn("completed");
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final WebTestClient client =
            WebTestClient.bindToController(bean(Orders.class)).build();

    @Test
    void aHandlerRunsUnderItsLock() {
        request();

        assertThat(held()).isEmpty();
    }

    @Test
    void aRequestWaitsForItsLock() throws InterruptedException {
        CompletableFuture<Void> answered;
        try (LockHandle other = heldByOthers("/orders/1")) {
            answered = CompletableFuture.runAsync(this::request);
            awaitWaitingFor("/orders/1");

            assertThat(answered).isNotDone();
        }

        assertThat(answered).succeedsWithin(60, TimeUnit.SECONDS);
    }

    private void request() {
        client.get()
                .uri("/orders/1")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("completed");
    }
}
