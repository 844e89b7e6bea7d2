package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Failures of a whole cluster in memory, and their effects on its locks. */
class OutageTest extends TwoProcesses {

    @Test
    void forceOutReturnsFalseForAnEmptyQueue() {
        assertThat(cluster.forceOut(NAME)).isFalse();
    }

    @Test
    void outageSuspendsAllHoldersAndGrantsNothing() throws Exception {
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
    void registryThatIsClosedDuringAnOutageDoesNotBlockOthersAfterIt() throws Exception {
        InMemoryLockRegistry leaving = join(LONG);
        LockHandle kept = leaving.lock("/kept").acquire();
        LockHandle handle = there.lock(NAME).acquire();
        cluster.outage();
        here.close();
        leaving.close();
        kept.close();

        cluster.heal();

        assertThat(handle.isHeld()).isTrue();
        there.lock("/kept").acquire(LONG).close();
    }

    @Test
    void registryThatCannotBeBuiltIsNoMember() {
        InMemoryLockRegistry.Builder contradictory = InMemoryLockRegistry.builder()
                .cluster(cluster)
                .policy(name -> LockPolicy.defaults())
                .handOff(HandOff.strict());

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(contradictory::build);

        here.close();
        there.close();
        assertThat(cluster.servers().isEmpty()).isTrue();
    }

    @Test
    void closedClusterHasNoMembersAndAcceptsNone() throws Exception {
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
    void registriesOfDifferentClustersDoNotExcludeEachOther() throws Exception {
        try (InMemoryLockRegistry one = new InMemoryLockRegistry();
                InMemoryLockRegistry other = new InMemoryLockRegistry();
                LockHandle first = one.lock(NAME).acquire();
                LockHandle second = other.lock(NAME).acquire()) {

            assertThat(List.of(first, second)).allMatch(LockHandle::isHeld);
        }
    }
}
