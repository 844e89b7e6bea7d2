package io.github.zklock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

// all that is held is unlocked after each test
@SuppressWarnings("LockNotBeforeTry")
class ZkLockIntegrationRegistryTest {

    private static final String KEY = "orders/42";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry process = cluster.join();
    private final ZkLockIntegrationRegistry here = new ZkLockIntegrationRegistry(process, "/integration");
    private final ZkLockIntegrationRegistry there = new ZkLockIntegrationRegistry(cluster.join(), "/integration");

    @AfterEach
    void close() {
        for (Object key : List.of(KEY, "1", 1, "later")) {
            unlockAll(here.obtain(key));
            unlockAll(there.obtain(key));
        }
        cluster.close();
    }

    @Test
    void aKeyIsLockedForTheWholeCluster() {
        DistributedLock lock = here.obtain(KEY);

        lock.lock();
        assertThat(there.obtain(KEY).tryLock()).isFalse();
        lock.unlock();

        assertThat(there.obtain(KEY).tryLock()).isTrue();
    }

    @Test
    void differentKeysDoNotExclude() {
        here.obtain("1").lock();

        assertThat(there.obtain(1).tryLock()).isTrue();
    }

    @Test
    void aThreadReentersThroughAnotherLockOfTheSameKey() {
        here.obtain(KEY).lock();

        assertThat(here.obtain(KEY).tryLock()).isTrue();

        here.obtain(KEY).unlock();
        here.obtain(KEY).unlock();
        assertThat(process.inspector().held()).isEmpty();
    }

    @Test
    void locksOfOneKeyAreEqual() {
        assertThat(here.obtain(KEY)).isEqualTo(here.obtain(KEY)).hasSameHashCodeAs(here.obtain(KEY));
        assertThat(here.obtain(KEY)).isNotEqualTo(here.obtain("other"));
    }

    @Test
    void unlockByAStrangerIsRefused() {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> here.obtain(KEY).unlock());
    }

    @Test
    void unlockAfterALossTellsAndTheLockCanBeTakenAnew() {
        DistributedLock lock = here.obtain(KEY);
        lock.lock();
        process.loseSession();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);

        assertThat(lock.tryLock()).isTrue();
    }

    @Test
    void anOutageIsNotContention() {
        cluster.outage();

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> here.obtain(KEY).tryLock(1, TimeUnit.MILLISECONDS));
    }

    @Test
    void aLockIsLostWhenItsTimeToLiveIsOver() throws Exception {
        DistributedLock lock = here.obtain(KEY);

        lock.lock(SHORT);
        assertThat(there.obtain(KEY).tryLock(LONG, LONG)).isTrue();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
    }

    @Test
    void aWaitWithATimeToLiveEndsWhenOthersHoldTheLock() throws Exception {
        here.obtain(KEY).lock();

        assertThat(there.obtain(KEY).tryLock(SHORT, LONG)).isFalse();
        assertThat(there.obtain(KEY).tryLock(Duration.ofSeconds(-1), LONG)).isFalse();
    }

    @Test
    void aTimeToLiveThatIsNotPositiveIsRefusedBeforeTheLockIsTaken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here.obtain(KEY).lock(Duration.ZERO))
                .withMessageContaining("0 s");
        assertThatIllegalArgumentException().isThrownBy(() -> here.obtain(KEY).tryLock(LONG, Duration.ofSeconds(-1)));
        assertThat(process.inspector().held()).isEmpty();
    }

    @Test
    void aRenewalMovesTheTimeToLive() throws Exception {
        DistributedLock lock = here.obtain(KEY);
        lock.lock(LONG);

        here.renewLock(KEY, SHORT);

        assertThat(there.obtain(KEY).tryLock(LONG, LONG)).isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
    }

    @Test
    void aRenewalWithoutATimeLiftsTheTimeToLiveOfEveryHold() throws Exception {
        Duration time = Duration.ofSeconds(1);
        here.obtain(KEY).lock(time);
        here.obtain(KEY).lock(time);
        here.renewLock(KEY);

        // what was limited later by as much is lost
        here.obtain("later").lock(time);
        assertThat(there.obtain("later").tryLock(LONG, LONG)).isTrue();

        assertThat(process.inspector().held())
                .extracting(Held::name)
                .contains(LockName.of("/integration/string/orders%2F42"));
        assertThat(there.obtain(KEY).tryLock()).isFalse();
        here.obtain(KEY).unlock();
        here.obtain(KEY).unlock();
    }

    @Test
    void whatIsNotHeldIsNotRenewed() {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> here.renewLock(KEY));
    }

    @Test
    void whatIsLostIsNotRenewed() {
        here.obtain(KEY).lock();
        process.loseSession();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> here.renewLock(KEY, LONG));
    }

    @Test
    void anActionRunsUnderTheLock() throws Exception {
        boolean free = here.executeLocked(KEY, () -> there.obtain(KEY).tryLock());

        assertThat(free).isFalse();
        assertThat(there.obtain(KEY).tryLock()).isTrue();
    }

    @Test
    void anActionReentersItsLock() throws Exception {
        boolean reentered = here.executeLocked(KEY, LONG, () -> here.obtain(KEY).tryLock());

        assertThat(reentered).isTrue();
    }

    @Test
    void theExceptionOfAnActionGetsOutAlsoWhenItsLockWasLost() {
        IOException business = new IOException("disk full");

        assertThatThrownBy(() -> here.executeLocked(KEY, () -> {
                    process.loseSession();
                    throw business;
                }))
                .isSameAs(business)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
        assertThatThrownBy(() -> here.executeLocked(KEY, LONG, () -> {
                    throw business;
                }))
                .isSameAs(business);
    }

    @Test
    void anActionThatSucceededLearnsThatItsLockWasLost() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> here.executeLocked(KEY, LONG, process::loseSession));
    }

    @Test
    void anActionDoesNotRunWhenOthersHoldTheLockForTooLong() {
        there.obtain(KEY).lock();

        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> here.executeLocked(KEY, SHORT, () -> {
                    throw new AssertionError("ran without the lock");
                }))
                .withMessageContaining("orders%2F42")
                .withMessageContaining("50 ms");
    }

    @Test
    void anActionDoesNotRunDuringAnOutage() {
        cluster.outage();

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> here.executeLocked(KEY, SHORT, () -> {
                    throw new AssertionError("ran without the lock");
                }));
    }

    /** What is left over is a scope of the thread, which the next test has too. */
    private static void unlockAll(DistributedLock lock) {
        boolean held = true;
        while (held) {
            try {
                lock.unlock();
            } catch (LockLostException undoneAllTheSame) {
                // there may be more
            } catch (IllegalMonitorStateException none) {
                held = false;
            }
        }
    }
}
