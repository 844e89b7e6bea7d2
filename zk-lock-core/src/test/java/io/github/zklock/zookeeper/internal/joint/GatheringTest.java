package io.github.zklock.zookeeper.internal.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FakeHandle;
import io.github.zklock.FakeLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class GatheringTest {

    private final List<String> log = new ArrayList<>();
    private final FakeLock a = new FakeLock("/a", log);
    private final FakeLock b = new FakeLock("/b", log);
    private final FakeLock c = new FakeLock("/c", log);
    private final AtomicReference<FakeHandle> handleOfB = new AtomicReference<>();
    private long now = Long.MAX_VALUE - 1;

    private Gathering gathering(Deadline deadline) {
        return new Gathering(List.of(a, b, c), deadline);
    }

    private Deadline within(int seconds) {
        return Deadline.after(Duration.ofSeconds(seconds), () -> now);
    }

    private AllHandle takeAll(Gathering gathering) throws InterruptedException {
        while (!gathering.isComplete()) {
            gathering.takeNext();
        }
        return gathering.whole();
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void partsShareOneDeadline() throws Exception {
        a.onGrant(handle -> pass(2));
        b.onGrant(handle -> pass(2));

        takeAll(gathering(within(5)));

        assertThat(log).containsExactly("ask /a PT5S", "ask /b PT3S", "ask /c PT1S");
    }

    @Test
    void partsAreAskedForWithoutALimitOrAtOnceAsTheWholeIs() throws Exception {
        takeAll(gathering(Deadline.never()));
        takeAll(gathering(within(0)));

        assertThat(log)
                .containsExactly(
                        "ask /a for ever",
                        "ask /b for ever",
                        "ask /c for ever",
                        "ask /a PT0S",
                        "ask /b PT0S",
                        "ask /c PT0S");
    }

    @Test
    void partIsNotAskedForWhenThoseBeforeItTookAllTheTime() {
        b.onGrant(handle -> pass(5));
        Gathering gathering = gathering(within(5));

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> takeAll(gathering))
                .satisfies(late -> assertThat(late.name()).isEqualTo(c.name()))
                .withMessageContaining("'/c'")
                .withMessageContaining("3 of 3")
                .withMessageContaining("5 s");

        assertThat(log).containsExactly("ask /a PT5S", "ask /b PT5S");
    }

    @Test
    void undoGivesBackInReverseAndSuppressesWhatFailsAtThat() throws Exception {
        IllegalStateException failure = new IllegalStateException("of closing");
        b.onGrant(handle -> handle.onClose(() -> {
            throw failure;
        }));
        Gathering gathering = gathering(within(5));
        gathering.takeNext();
        gathering.takeNext();
        Exception cause = new Exception("why");

        gathering.undo(cause);

        assertThat(log).endsWith("close /b", "close /a");
        assertThat(cause.getSuppressed()).containsExactly(failure);
    }

    @Test
    void partThatIsLostMeanwhileIsTakenAgainWithAllThatComeAfterIt() throws Exception {
        loseBWhenCIsGranted(LockState.LOST);

        AllHandle whole = takeAll(gathering(within(5)));

        assertThat(log)
                .containsExactly(
                        "ask /a PT5S",
                        "ask /b PT5S",
                        "ask /c PT5S",
                        "close /c",
                        "close /b",
                        "ask /b PT4S",
                        "ask /c PT4S");
        assertThat(whole.parts()).hasSize(3).allMatch(LockHandle::isHeld);
    }

    @Test
    void partThatIsInDoubtIsTakenAgainToo() throws Exception {
        loseBWhenCIsGranted(LockState.SUSPENDED);

        takeAll(gathering(within(5)));

        assertThat(log).endsWith("close /c", "close /b", "ask /b PT4S", "ask /c PT4S");
    }

    @Test
    void lossThatLeavesNoTimeIsNotCalledContention() {
        for (int seconds : List.of(1, 0)) {
            loseBWhenCIsGranted(LockState.LOST);

            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> takeAll(gathering(within(seconds))))
                    .satisfies(failed -> assertThat(failed.name()).isEqualTo(b.name()))
                    .withMessageContaining("'/b' was lost");
        }
    }

    /** Each time that it is asked for, a second passes, and the first time /b is lost meanwhile. */
    private void loseBWhenCIsGranted(LockState fate) {
        b.onGrant(handleOfB::set);
        c.onGrant(handle -> {
            pass(1);
            handleOfB.get().become(fate);
            b.onGrant(again -> {});
        });
    }

    @Test
    void partWhoseAnswerAnErrorKeptFromBeingTakenIsReleased() {
        b.onGrant(handleOfB::set);
        b.futures(() -> new CompletableFuture<>() {
            private boolean thrown;

            @Override
            public boolean isDone() {
                if (!thrown) {
                    thrown = true;
                    throw new OutOfMemoryError("planted by the test");
                }
                return super.isDone();
            }
        });

        assertThat(AsyncGathering.begin(gathering(Deadline.never())))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(OutOfMemoryError.class);

        assertThat(handleOfB.get().state()).isEqualTo(LockState.RELEASED);
    }
}
