package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What can be done to a whole cluster in memory, and what its locks say to that. */
class OutageTest {

    private static final String NAME = "/order-stats";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry here = join(LONG);
    private final InMemoryLockRegistry there = join(LONG);

    private InMemoryLockRegistry join(Duration sessionTimeout) {
        return InMemoryLockRegistry.builder()
                .cluster(cluster)
                .sessionTimeout(sessionTimeout)
                .connectionTimeout(SHORT)
                .build();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void forcingOutWhereNobodyStandsSaysSo() {
        assertThat(cluster.forceOut(NAME)).isFalse();
    }

    @Test
    void outageSuspendsEverybodyAndGrantsNothing() throws Exception {
        LockHandle handle = here.lock(NAME).acquire();

        cluster.outage();
        cluster.outage();

        assertThat(handle.state()).isEqualTo(LockState.SUSPENDED);
        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> there.lock("/free").tryAcquire());
        cluster.heal();
        assertThat(handle.isHeld()).isTrue();
        there.lock("/free").tryAcquire().orElseThrow().close();
    }

    @Test
    void outageThatOutlastsTheSessionIsALoss() throws Exception {
        LockHandle handle = join(SHORT).lock(NAME).acquire();

        cluster.outage();

        await().until(() -> handle.state() == LockState.LOST);
        cluster.heal();
        there.lock(NAME).tryAcquire().orElseThrow().close();
    }

    @Test
    void endOfAnOutageDoesNotResumeASuspendedProcess() throws Exception {
        LockHandle handle = here.lock(NAME).acquire();
        cluster.outage();
        here.suspend();

        cluster.heal();

        assertThat(handle.state()).isEqualTo(LockState.SUSPENDED);
        assertThat(there.inspector().session().connected()).isTrue();
        here.resume();
        assertThat(handle.isHeld()).isTrue();
    }

    @Test
    void processThatJoinsDuringAnOutageIsServedAfterIt() throws Exception {
        cluster.outage();
        InMemoryLockRegistry late = join(LONG);
        CompletableFuture<LockHandle> wait = late.lock(NAME).acquireAsync();
        assertThat(late.inspector().session().connected()).isFalse();

        cluster.heal();

        Actor.join(wait).close();
    }

    @Test
    void closedClusterHasNoMembersAndTakesNone() throws Exception {
        LockHandle handle = here.lock(NAME).acquire();

        cluster.close();
        cluster.close();

        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(here.inspector().session().connected()).isFalse();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(cluster::join)
                .withMessageContaining("closed");
    }

    @Test
    void registriesOfTheirOwnAreStrangersToEachOther() throws Exception {
        try (InMemoryLockRegistry one = new InMemoryLockRegistry();
                InMemoryLockRegistry other = new InMemoryLockRegistry();
                LockHandle first = one.lock(NAME).acquire();
                LockHandle second = other.lock(NAME).acquire()) {

            assertThat(List.of(first, second)).allMatch(LockHandle::isHeld);
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(2));
    }
}
