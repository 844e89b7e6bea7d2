package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FutureAnswerTest {

    private static final LockName NAME = LockName.of("/order-stats");

    private final MemoryEngine engine = new MemoryEngine(HandOff.strict());

    /** An Error can end the withdrawal of the claims before its first step. (L26) */
    @Test
    void grantForACallerThatLeftWithoutAWithdrawalIsGivenBack() {
        FutureAnswer<List<LockHandle>> answer =
                new FutureAnswer<>(engine.access(), null, handles -> handles, Runnable::run);
        Claim claim = new Claim(NAME, Demand.EXCLUSIVE, Patience.forever(), null, 1, answer.next(NAME));
        claim.setPolicy(LockPolicy.defaults());
        CompletableFuture<List<LockHandle>> future = answer.future();
        // there is nothing to withdraw yet
        future.cancel(false);
        answer.setClaims(new Claim[] {claim});

        engine.access().acquire(claim, List.of());

        assertThat(future).isCancelled();
        assertThat(claim.isOver()).isTrue();
        assertThat(engine.isEmpty()).as("no seat is left").isTrue();
    }
}
