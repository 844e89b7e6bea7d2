package io.github.zklock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.zklock.LockEvent;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockInterruptedException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ZkLockProviderTest {

    private static final String NAME = "report";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration NONE = Duration.ZERO;

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry process = InMemoryLockRegistry.builder()
            .cluster(cluster)
            .listener(events::add)
            .build();
    private final MinimumHold minimumHold = new MinimumHold();
    private final ZkLockProvider here = new ZkLockProvider(process, minimumHold, "/shedlock");
    private final ZkLockProvider there = new ZkLockProvider(cluster.join(), minimumHold, "/shedlock");

    @AfterEach
    void close() {
        minimumHold.stop();
        cluster.close();
    }

    @Test
    void aTaskIsLockedForTheWholeCluster() {
        SimpleLock lock = here.lock(task(LONG, NONE)).orElseThrow();
        assertThat(there.lock(task(LONG, NONE))).isEmpty();

        lock.unlock();

        assertThat(there.lock(task(LONG, NONE))).isPresent();
    }

    @Test
    void aNameIsOneSegmentBelowThePrefix() {
        here.lock(new LockConfiguration(Instant.now(), "reports/daily", LONG, NONE));

        assertThat(process.inspector().held())
                .extracting(Held::name)
                .containsExactly(LockName.of("/shedlock/reports%2Fdaily"));
    }

    @Test
    void anOutageIsNotALockThatOthersHold() {
        cluster.outage();

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> here.lock(task(LONG, NONE)));
    }

    @Test
    void anInterruptIsKept() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> here.lock(task(LONG, NONE)));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(process.inspector().held()).isEmpty();
    }

    @Test
    void aLockIsLostAtTheEndOfItsLongestTime() {
        SimpleLock lock = here.lock(task(SHORT, NONE)).orElseThrow();

        await().atMost(LONG).until(() -> there.lock(task(LONG, NONE)).isPresent());

        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
    }

    @Test
    void aLockIsKeptForItsLeastTimeAlsoWhenItsTaskIsFaster() {
        long before = System.nanoTime();
        SimpleLock lock = here.lock(task(LONG, SECOND)).orElseThrow();

        lock.unlock();

        assertThat(process.inspector().held()).hasSize(1);
        await().atMost(LONG).until(() -> there.lock(task(LONG, NONE)).isPresent());
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SECOND);
    }

    @Test
    void aTaskThatTookItsLeastTimeGivesTheLockBackAtOnce() {
        SimpleLock lock = here.lock(task(LONG, SHORT)).orElseThrow();
        await().atMost(LONG).pollDelay(SHORT.multipliedBy(2)).until(() -> true);

        lock.unlock();

        assertThat(process.inspector().held()).isEmpty();
    }

    @Test
    void theEndOfTheLeastTimeIsNoLossWhereItIsTheLongestToo() {
        SimpleLock lock = here.lock(task(SECOND, SECOND)).orElseThrow();

        lock.unlock();

        await().atMost(LONG).until(() -> events.stream().anyMatch(LockEvent.Released.class::isInstance));
        assertThat(events).noneMatch(LockEvent.Lost.class::isInstance);
    }

    @Test
    void whatIsKeptIsGivenBackWhenTheApplicationStops() {
        Duration hour = Duration.ofHours(1);
        SimpleLock lock = here.lock(task(hour, hour)).orElseThrow();
        lock.unlock();

        minimumHold.stop();

        assertThat(there.lock(task(LONG, NONE))).isPresent();
    }

    @Test
    void nothingIsKeptOnceTheApplicationHasStopped() {
        Duration hour = Duration.ofHours(1);
        SimpleLock lock = here.lock(task(hour, hour)).orElseThrow();
        minimumHold.stop();

        lock.unlock();

        assertThat(there.lock(task(LONG, NONE))).isPresent();
    }

    @Test
    void aLossWhileTheLockIsKeptHarmsNobody() {
        Duration hour = Duration.ofHours(1);
        here.lock(task(hour, hour)).orElseThrow().unlock();

        cluster.forceOut("/shedlock/" + NAME);
        minimumHold.stop();

        assertThat(there.lock(task(LONG, NONE))).isPresent();
    }

    @Test
    void anExtensionMovesTheLongestTime() {
        SimpleLock lock = here.lock(task(SECOND, NONE)).orElseThrow();
        SimpleLock extended = lock.extend(LONG, NONE).orElseThrow();

        // what was limited later by as much is lost
        ZkLockProvider others = new ZkLockProvider(process, minimumHold, "/others");
        assertThat(others.lock(task(SECOND, NONE))).isPresent();
        await().atMost(LONG).until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));

        assertThat(there.lock(task(LONG, NONE))).isEmpty();
        extended.unlock();
        assertThat(there.lock(task(LONG, NONE))).isPresent();
    }

    @Test
    void anExtensionMovesTheLeastTime() {
        SimpleLock lock = here.lock(task(LONG, LONG)).orElseThrow();

        lock.extend(LONG, NONE).orElseThrow().unlock();

        assertThat(there.lock(task(LONG, NONE))).isPresent();
    }

    @Test
    void aLostLockIsNotExtendedAndItsUnlockTells() {
        SimpleLock lock = here.lock(task(LONG, NONE)).orElseThrow();
        process.loseSession();

        Optional<SimpleLock> extended = lock.extend(LONG, NONE);

        assertThat(extended).isEmpty();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
    }

    @Test
    void timesThatContradictEachOtherAreRefusedAndTheLockStays() {
        SimpleLock lock = here.lock(task(LONG, NONE)).orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.extend(SHORT, LONG))
                .withMessageContaining("1 min")
                .withMessageContaining("50 ms");

        lock.unlock();
    }

    @Test
    void aLockIsUnlockedOrExtendedOnce() {
        SimpleLock lock = here.lock(task(LONG, NONE)).orElseThrow();
        SimpleLock extended = lock.extend(LONG, NONE).orElseThrow();

        assertThatIllegalStateException().isThrownBy(lock::unlock).withMessageContaining("/shedlock/report");
        assertThatIllegalStateException().isThrownBy(() -> lock.extend(LONG, NONE));
        extended.unlock();
        assertThatIllegalStateException().isThrownBy(extended::unlock);
    }

    private static LockConfiguration task(Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), NAME, atMost, atLeast);
    }
}
