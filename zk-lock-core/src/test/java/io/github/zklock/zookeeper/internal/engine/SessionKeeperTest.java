package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionKeeper;
import io.github.zklock.zookeeper.internal.session.SessionProof;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionKeeperTest {

    private final Loop loop = MemoryWire.loop();
    private final EngineRun run = new EngineRun(loop);
    private final MemoryWire wire = new MemoryWire(run);
    /** Its clocks agree. */
    private final ManualTime time = new ManualTime(loop);

    @Test
    void anAttemptToConnectDatesTheSessionIfTheClocksHaveAgreedSince() {
        wire.attemptWithWallLead(0);

        assertThat(proofOfPinnedSession().isValid(time.nanoTime())).isTrue();
    }

    @Test
    void anAttemptToConnectFromBeforeASuspensionDatesNothing() {
        // M19: the client was built, the machine was suspended, and then the registry was built
        wire.attemptWithWallLead(-wire.timeoutNanos() / 2);

        assertThat(proofOfPinnedSession().isValid(time.nanoTime())).isFalse();
    }

    private SessionProof proofOfPinnedSession() {
        Backoff backoff = new Backoff(1, 1);
        SessionKeeper keeper = new SessionKeeper(run, wire, time, "/locks", backoff, client());
        keeper.start();
        PinnedSession session = keeper.session().orElseThrow();
        session.check(List.of(wire.createNow("/locks/seat-").path()), (outcome, missing) -> {});
        return session.proof();
    }

    private static SessionKeeper.Client client() {
        return new SessionKeeper.Client() {
            @Override
            public void connected(PinnedSession session) {}

            @Override
            public void disconnected() {}

            @Override
            public void clientClosed() {}

            @Override
            public void ended(PinnedSession session, String reason) {}

            @Override
            public void proofAdvanced() {}

            @Override
            public void denied(Refusal refusal) {}

            @Override
            public void tick() {}
        };
    }
}
