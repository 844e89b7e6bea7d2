package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.annotation.DistributedLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class HiddenResultTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders")
        public Object returning(Object result) {
            return result;
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void aPublisherThatIsNotDeclaredIsRejected() {
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.returning(Mono.never()))
                .withMessage(
                        "Orders.returning(Object) has returned a MonoNever, which continues to work after the lock is"
                                + " released. Declare it as the return type");
    }

    @Test
    void aRunningStageThatIsNotDeclaredIsRejected() {
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.returning(new CompletableFuture<>()))
                .withMessageContaining("CompletableFuture");
    }

    @Test
    void aCompletedStageIsAccepted() {
        CompletableFuture<String> done = CompletableFuture.completedFuture("done");

        assertThat(orders.returning(done)).isSameAs(done);
    }
}
