package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockDeadlockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalTest {

    private static final LockName LOCK = LockName.of("/orders");

    @Test
    void eachReasonHasItsException() {
        Map<Reason, Class<?>> exceptions = new EnumMap<>(Reason.class);
        for (Reason reason : Reason.values()) {
            exceptions.put(reason, Refusal.of(reason, "why").toException(LOCK).getClass());
        }

        assertThat(exceptions)
                .containsEntry(Reason.BUSY, LockTimeoutException.class)
                .containsEntry(Reason.UNAVAILABLE, LockUnavailableException.class)
                .containsEntry(Reason.DENIED, LockAccessDeniedException.class)
                .containsEntry(Reason.MISMATCH, LockMismatchException.class)
                .containsEntry(Reason.LOST, LockLostException.class)
                .containsEntry(Reason.DEADLOCK, LockDeadlockException.class)
                .containsEntry(Reason.CLOSED, LockRegistryClosedException.class)
                .hasSize(Reason.values().length);
    }

    @Test
    void messageAboutALockNamesIt() {
        Refusal refusal = Refusal.closed().about(LOCK);

        assertThat(refusal.reason()).isEqualTo(Reason.CLOSED);
        assertThat(refusal.toException(LOCK))
                .hasMessageContaining("Lock '/orders' not acquired: its registry is closed");
    }

    @Test
    void failureOfTheEngineIsTheCause() {
        InternalError error = new InternalError("planted");

        Refusal refusal = Refusal.failure(error);

        assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(refusal.about(LOCK).toException(LOCK)).hasCause(error);
        assertThat(new RefusedRequestException(refusal).refusal()).isSameAs(refusal);
        assertThat(new RefusedRequestException(refusal)).hasMessageContaining("planted");
    }

    @Test
    void refusalsOfTheSessionSayWhatIsMissing() {
        SeatBudget used = new SeatBudget(new AtomicLong());
        used.take(900);

        assertThat(Refusal.notConfirmed().reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(Refusal.epochExhausted(524_288).message()).contains("524288");
        assertThat(Refusal.noRoom(used, 120, 1000).message()).contains("120 bytes", "1 seat takes 900 of the 1000");
        assertThat(Refusal.lostBeforeReentry(LOCK).reason()).isEqualTo(Reason.LOST);
    }
}
