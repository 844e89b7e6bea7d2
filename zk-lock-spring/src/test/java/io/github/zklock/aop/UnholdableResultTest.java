package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.config.TestApplication;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.ParallelFlux;

class UnholdableResultTest {

    private static final String ON_THE_WORK =
            "put the annotation on the method that does the work, or return a CompletableFuture or a Mono";

    static class PlainFuture {
        @DistributedLock("/orders")
        public @Nullable Future<String> work() {
            return null;
        }
    }

    static class OwnFuture {
        static class Promise extends CompletableFuture<String> {}

        @DistributedLock("/orders")
        public @Nullable Promise work() {
            return null;
        }
    }

    static class LazyStream {
        @DistributedLock("/orders")
        public @Nullable Stream<String> work() {
            return null;
        }
    }

    static class LazyNumbers {
        @DistributedLock("/orders")
        public @Nullable IntStream work() {
            return null;
        }
    }

    static class LaterCall {
        @DistributedLock("/orders")
        public @Nullable Callable<String> work() {
            return null;
        }
    }

    static class Deferred {
        @DistributedLock("/orders")
        public @Nullable DeferredResult<String> work() {
            return null;
        }
    }

    static class AsyncTask {
        @DistributedLock("/orders")
        public @Nullable WebAsyncTask<String> work() {
            return null;
        }
    }

    static class Streaming {
        @DistributedLock("/orders")
        public @Nullable StreamingResponseBody work() {
            return null;
        }
    }

    static class Events {
        @DistributedLock("/orders")
        public @Nullable SseEmitter work() {
            return null;
        }
    }

    static class StreamingResponse {
        @DistributedLock("/orders")
        public @Nullable ResponseEntity<StreamingResponseBody> work() {
            return null;
        }
    }

    static class ReactiveResponse {
        @DistributedLock("/orders")
        public @Nullable ResponseEntity<Flux<String>> work() {
            return null;
        }
    }

    static class Parallel {
        @DistributedLock("/orders")
        public @Nullable ParallelFlux<String> work() {
            return null;
        }
    }

    static class Connectable {
        @DistributedLock("/orders")
        public @Nullable ConnectableFlux<String> work() {
            return null;
        }
    }

    static class AsyncFuture {
        @Async
        @DistributedLock("/orders")
        public @Nullable Future<String> work() {
            return null;
        }
    }

    static class PlainResponse {
        @DistributedLock("/orders")
        public ResponseEntity<List<String>> work() {
            return ResponseEntity.ok(List.of());
        }
    }

    static Stream<Object[]> refused() {
        return Stream.of(
                new Object[] {PlainFuture.class, "return a CompletableFuture, or make it @Async"},
                new Object[] {OwnFuture.class, "return a CompletableFuture or a CompletionStage"},
                new Object[] {LazyStream.class, "collect it to a List within the method"},
                new Object[] {LazyNumbers.class, "collect it to a List within the method"},
                new Object[] {LaterCall.class, ON_THE_WORK},
                new Object[] {Deferred.class, ON_THE_WORK},
                new Object[] {AsyncTask.class, ON_THE_WORK},
                new Object[] {Streaming.class, ON_THE_WORK},
                new Object[] {Events.class, ON_THE_WORK},
                new Object[] {StreamingResponse.class, ON_THE_WORK},
                new Object[] {ReactiveResponse.class, "return a Mono of the whole response"},
                new Object[] {Parallel.class, "return a Publisher"},
                new Object[] {Connectable.class, "return a Flux"});
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aResultWhoseEndCannotBeAwaitedIsRefusedWithARemedy(Class<?> bean, String remedy) {
        TestApplication application = TestApplication.withoutRegistry()
                .withBean(
                        "registry",
                        LockRegistry.class,
                        () -> Mockito.mock(LockRegistry.class),
                        definition -> definition.setLazyInit(true))
                .withBeans(bean);

        assertThatThrownBy(application::start)
                .isInstanceOf(InvalidAnnotationException.class)
                .hasMessageStartingWith("@DistributedLock on " + bean.getName() + ".work() returns a ")
                .hasMessageEndingWith("; " + remedy);
    }

    @Test
    void anAsyncMethodMayReturnAPlainFuture() {
        assertThatCode(() -> TestApplication.of(AsyncFuture.class).start().close())
                .doesNotThrowAnyException();
    }

    @Test
    void aResponseWithAPlainBodyIsAccepted() {
        assertThatCode(() -> TestApplication.of(PlainResponse.class).start().close())
                .doesNotThrowAnyException();
    }
}
