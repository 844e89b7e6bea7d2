package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that refuse the one transaction by which a process passes a lock on among its own seats. */
class PassingOnTest {

    static Stream<Arguments> refusals() {
        return Stream.of(
                arguments(Outcome.ACCESS_DENIED, 1),
                arguments(Outcome.ACCESS_DENIED, null),
                arguments(Outcome.REFUSED, null));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void heirIsGrantedAllTheSame(Outcome refusal, @Nullable Integer missing) throws Exception {
        MemoryEngine engine = new MemoryEngine(HandOff.strict());
        engine.refusePassingOn(refusal, missing);
        LockHandle first = engine.lock("/stats").acquire();
        CompletableFuture<LockHandle> second = engine.lock("/stats").acquireAsync();
        assertThat(second).isNotDone();

        first.close();

        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(first.released()).isCompleted();
        second.join().close();
        assertThat(second.join().released()).isCompleted();
        assertThat(engine.isEmpty()).isTrue();
    }
}
