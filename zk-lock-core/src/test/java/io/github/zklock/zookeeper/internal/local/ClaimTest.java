package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimTest {

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime(Runnable::run);
    private final List<String> told = new ArrayList<>();
    private boolean arrived;
    private boolean stranded;

    private final Claim claim = claim(Patience.forever());

    @Test
    void longWaitIsReportedNearItsEndAndEndsInTime() {
        armed(new Patience(WAIT, true));

        time.advance(WAIT.toNanos() * 3 / 4 - 1);
        assertThat(told).isEmpty();
        time.advance(1);
        assertThat(told).containsExactly("near the end");
        time.advance(WAIT.toNanos() / 4);

        assertThat(told).containsExactly("near the end", "end");
    }

    @Test
    void messagesCountTheOthersAheadUpToALimit() {
        assertThat(Claim.ahead(1)).isEqualTo("1 other ahead");
        assertThat(Claim.ahead(99)).isEqualTo("99 others ahead");
        assertThat(Claim.ahead(100)).isEqualTo("at least 100 others ahead");
        assertThat(Claim.ahead(5_000)).isEqualTo("at least 100 others ahead");
    }

    @Test
    void waitEndsOnceAlthoughItIsArmedTwice() {
        armed(new Patience(WAIT.dividedBy(10), true)).armDeadline(time, () -> {}, () -> told.add("another end"));

        time.advance(WAIT.toNanos());

        assertThat(told).containsExactly("end");
    }

    @Test
    void answeredClaimHasNoDeadline() {
        armed(new Patience(WAIT, true)).refuse(Refusal.closed());

        assertThat(time.alarms()).isZero();
    }

    @Test
    void withdrawnClaimHasNoDeadline() {
        assertThat(armed(new Patience(WAIT, true)).withdraw()).isEmpty();

        assertThat(time.alarms()).isZero();
    }

    @Test
    void isSettledWhenItsAnswerHasArrived() {
        claim.refuse(Refusal.closed());
        assertThat(claim.isSettled()).isFalse();

        arrived = true;

        assertThat(claim.isSettled()).isTrue();
    }

    /** A future that its owner has cancelled counts as arrived, although an Error kept the cancellation from the claim. (L26) */
    @Test
    void isNotSettledWhileItsAnswerIsStranded() {
        arrived = true;
        stranded = true;
        claim.refuse(Refusal.closed());

        assertThat(claim.isSettled()).isFalse();
        assertThat(claim.isUntold()).isTrue();
    }

    /** The lock of a grant that has not arrived was lost with the engine. (L26) */
    @Test
    void isRefusedAfterAFailureAlthoughItWasGranted() {
        claim.grant(turn());

        claim.refuseAfterFailure("the engine failed");

        assertThat(told).containsExactly("UNAVAILABLE: Lock '/a' not acquired: the engine failed");
        assertThat(claim.withdraw()).isEmpty();
    }

    @Test
    void reentryIsRefusedAfterAFailureBecauseItsLockIsLost() {
        claim.setReentryOf(turn());

        claim.refuseAfterFailure("the engine failed");

        assertThat(told).containsExactly("LOST: Lock '/a' was lost before it could be re-entered");
    }

    @Test
    void refusalThatMayNotHaveArrivedIsDeliveredAgainAfterAFailure() {
        claim.refuse(Refusal.closed());

        claim.refuseAfterFailure("the engine failed");

        assertThat(told).hasSize(2).allMatch("CLOSED: its registry is closed"::equals);
    }

    private static Turn turn() {
        PlannedSeats queue = new PlannedSeats(HandOff.strict());
        Claim granted = queue.claim(Demand.EXCLUSIVE);
        return queue.grant(granted, queue.head(granted));
    }

    private Claim armed(Patience patience) {
        Claim armed = claim(patience);
        armed.armDeadline(time, () -> told.add("near the end"), () -> told.add("end"));
        return armed;
    }

    private Claim claim(Patience patience) {
        return new Claim(LockName.of("/a"), Demand.EXCLUSIVE, patience, null, time.nanoTime(), new Claim.Answer() {
            @Override
            public void granted(Turn turn) {}

            @Override
            public void refused(Refusal refusal) {
                told.add(refusal.reason() + ": " + refusal.message());
            }

            @Override
            public boolean hasArrived() {
                return arrived;
            }

            @Override
            public boolean isStranded() {
                return stranded;
            }

            @Override
            public String asker() {
                return "asker";
            }
        });
    }
}
