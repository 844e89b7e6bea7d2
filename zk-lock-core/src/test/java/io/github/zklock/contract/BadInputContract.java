package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a caller can do wrong is refused at once, and has no effect. */
public abstract class BadInputContract extends Contract {

    private static final Duration NEGATIVE = Duration.ofNanos(-1);

    // nothing is to come back
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    void negativeWaitsAreRefusedWithNameValueAndRemedy() {
        List<Callable<?>> forms = List.of(
                () -> lock().acquire(NEGATIVE),
                () -> lock().tryAcquire(NEGATIVE),
                () -> lock().acquireAsync(NEGATIVE),
                () -> registry().executeLocked(name(), NEGATIVE, handle -> "ran"));

        assertThat(forms)
                .allSatisfy(form -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(form::call)
                        .withMessageContaining(name())
                        .withMessageContaining(Words.of(NEGATIVE))
                        .withMessageContaining("use zero"));
        assertThat(cluster().queued(name())).isZero();
    }

    // nothing is to come back
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    void nullsAreRefused() throws Exception {
        try (LockHandle handle = lock().acquire()) {
            List<ThrowingCallable> calls = List.of(
                    () -> registry().lock(null),
                    () -> registry().addListener(null),
                    () -> registry().executeLocked(null, held -> "ran"),
                    () -> registry().executeLocked(name(), null),
                    () -> registry().executeLocked(name(), LONG, null),
                    () -> registry().executeLocked(name(), null, held -> "ran"),
                    () -> lock().acquire(null),
                    () -> lock().tryAcquire(null),
                    () -> lock().acquireAsync(null),
                    () -> lock().tryLock(1, null),
                    () -> handle.onLost(null),
                    () -> LockContext.open(null),
                    () -> LockContext.current(null),
                    () -> LockContext.assertHeld(null),
                    () -> registry().inspector().queue(null),
                    () -> registry().inspector().names(null, "", 1),
                    () -> registry().inspector().names("/", null, 1),
                    () -> registry().inspector().evict(null, "seat"),
                    () -> registry().inspector().evict(name(), null));

            assertThat(calls)
                    .allSatisfy(call -> assertThatNullPointerException().isThrownBy(call));
            assertThat(LockContext.current()).isEmpty();
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void closedRegistryTellsNothingHeldAndStaysClosed() {
        var leaving = join();
        leaving.close();

        leaving.close();

        assertThat(leaving.registry().inspector().held()).isEmpty();
        assertThat(leaving.registry().inspector().awaited()).isEmpty();
        assertThat(leaving.registry().inspector().session().connected()).isFalse();
    }
}
