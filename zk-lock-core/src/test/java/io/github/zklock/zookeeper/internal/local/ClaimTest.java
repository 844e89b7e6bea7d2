package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.session.Refusal;
import org.junit.jupiter.api.Test;

class ClaimTest {

    private boolean arrived;
    private boolean stranded;

    private final Claim claim =
            new Claim(LockName.of("/a"), Demand.EXCLUSIVE, Patience.forever(), null, 0, new Claim.Answer() {
                @Override
                public void granted(Turn turn) {}

                @Override
                public void refused(Refusal refusal) {}

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
}
