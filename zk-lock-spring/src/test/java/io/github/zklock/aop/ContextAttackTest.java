package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Attacks with contexts that outlive the lock: of subscriptions, and of pooled threads. */
class ContextAttackTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/attack/context")
        public Mono<ContextView> context() {
            return Mono.deferContextual(Mono::just);
        }

        @DistributedLock(value = "/attack/context", waitTime = "0")
        public Mono<String> reactive() {
            return Mono.just("ran");
        }

        @DistributedLock(value = "/attack/context", waitTime = "0")
        public String blocking() {
            return "ran";
        }

        @DistributedLock("/attack/context")
        public @Nullable LockHandle handle(@Nullable LockHandle handle) {
            return handle;
        }

        @DistributedLock("/attack/stage")
        public CompletableFuture<List<String>> stage() {
            return CompletableFuture.completedFuture(heldNow());
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void theContextOfAReleasedLockReentersNothing() throws InterruptedException {
        ContextView stale = Objects.requireNonNull(orders.context().block(PATIENCE));

        try (LockHandle theirs = heldByOthers("/attack/context")) {
            assertThatThrownBy(() ->
                            orders.reactive().contextWrite(Context.of(stale)).block(PATIENCE))
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(theirs.state()).isEqualTo(LockState.HELD);
        }
    }

    @Test
    void aScopeOfAReleasedHandleReentersNothing() throws InterruptedException {
        LockHandle stale = Objects.requireNonNull(orders.handle(null));

        try (LockHandle theirs = heldByOthers("/attack/context");
                LockContext.Scope scope = LockContext.open(stale)) {
            assertThatThrownBy(orders::blocking).isInstanceOf(LockTimeoutException.class);
            assertThat(theirs.state()).isEqualTo(LockState.HELD);
        }
    }

    @Test
    void threadsOfCallsKeepNothing() {
        for (int i = 0; i < 20; i++) {
            MDC.put("request", String.valueOf(i));
            assertThat(orders.stage().join()).containsExactly("/attack/stage");
        }
        MDC.clear();
        assertThat(LockContext.current()).isEmpty();
    }
}
