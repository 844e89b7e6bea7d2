package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.annotation.DistributedLock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class HiddenResultTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders")
        public Object returning(Object result) {
            return result;
        }

        @DistributedLock("/orders")
        public ResponseEntity<?> response(Object body) {
            return ResponseEntity.ok(body);
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

    static Stream<Object> works() {
        Callable<String> later = () -> "later";
        StreamingResponseBody body = out -> {};
        return Stream.of(
                new FutureTask<>(later), later, body, new DeferredResult<>(), Stream.of("a"), ResponseEntity.ok(body));
    }

    @ParameterizedTest
    @MethodSource("works")
    void anUndeclaredResultThatWorksLaterIsRefused(Object work) {
        assertThatIllegalStateException().isThrownBy(() -> orders.returning(work));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void anUndeclaredBodyThatWorksLaterIsRefused(Object body) {
        assertThatIllegalStateException().isThrownBy(() -> orders.response(body));
    }

    static Stream<Object> bodies() {
        StreamingResponseBody body = out -> {};
        return Stream.of(body, Flux.never());
    }

    @Test
    void plainUndeclaredResultsAreReturned() {
        List<String> plain = List.of("a");
        assertThat(orders.returning(plain)).isSameAs(plain);
        assertThat(orders.response(plain).getBody()).isSameAs(plain);
    }
}
