package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SessionKeeperTest {

    private final Loop loop = IdealWire.loop();
    private final EngineRun run = new EngineRun(loop);
    private final IdealWire wire = new IdealWire(run);
    /** Its clocks agree. */
    private final ManualTime time = new ManualTime(loop);

    private final SessionKeeper keeper = new SessionKeeper(run, wire, time, "/locks", new Backoff(1, 1), client());

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

    @Test
    void aSuspensionThatShowsOnlyByTheLeadersClockShortensTheProof() {
        // M28: both clocks of a paused virtual machine stand still
        wire.attemptWithWallLead(0);
        SessionProof proof = proofOfPinnedSession();
        PinnedSession session = keeper.session().orElseThrow();
        keeper.created(session, createdAt(100_000), time.nanoTime());
        assertThat(proof.isValid(time.nanoTime())).isTrue();

        long suspended = TimeUnit.NANOSECONDS.toMillis(session.timeoutNanos());
        keeper.created(session, createdAt(100_000 + suspended), time.nanoTime());

        assertThat(proof.isValid(time.nanoTime())).isFalse();
    }

    private static Node createdAt(long leaderMillis) {
        return new Node("/locks/seat-0000000001", 1L << 32, 1, new byte[0], leaderMillis);
    }

    private SessionProof proofOfPinnedSession() {
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
