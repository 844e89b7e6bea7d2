package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SessionKeeperTest {

    private static final long NOW = 1_000_000_000L;

    private final EngineRun run = new EngineRun(MemoryWire.loop());
    private final MemoryWire wire = new MemoryWire(run);

    @Test
    void anAttemptToConnectDatesTheSessionIfTheClocksHaveAgreedSince() {
        wire.attemptWithWallLead(0);

        assertThat(proofOfSessionPinnedWithWallLead(0).isValid(NOW)).isTrue();
    }

    @Test
    void anAttemptToConnectFromBeforeASuspensionDatesNothing() {
        // M19: the client was built, the machine was suspended, and then the registry was built
        wire.attemptWithWallLead(0);

        assertThat(proofOfSessionPinnedWithWallLead(wire.timeoutNanos() / 2).isValid(NOW))
                .isFalse();
    }

    private SessionProof proofOfSessionPinnedWithWallLead(long lead) {
        SessionKeeper keeper = new SessionKeeper(
                run,
                wire,
                clocks(lead),
                "/locks",
                new Backoff(1, 1),
                new Departures(clocks(lead), new Backoff(1, 1)),
                client());
        keeper.start();
        Tenure tenure = keeper.tenure().orElseThrow();
        tenure.check(List.of(), (outcome, missing) -> {});
        return tenure.proof();
    }

    private static Time clocks(long wallLead) {
        return new Time() {
            @Override
            public long nanoTime() {
                return NOW;
            }

            @Override
            public long wallNanos() {
                return NOW + wallLead;
            }

            @Override
            public Alarm after(long delayNanos, Runnable action) {
                return () -> {};
            }
        };
    }

    private static SessionKeeper.Client client() {
        return new SessionKeeper.Client() {
            @Override
            public void connected(Tenure tenure) {}

            @Override
            public void ended(Tenure tenure, String reason) {}

            @Override
            public void proofAdvanced() {}

            @Override
            public void denied(Refusal refusal) {}

            @Override
            public void tick() {}
        };
    }
}
