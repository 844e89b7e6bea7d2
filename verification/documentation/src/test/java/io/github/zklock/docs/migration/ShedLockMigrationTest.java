package io.github.zklock.docs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockUnavailableException;
import io.github.zklock.shedlock.MinimumHold;
import io.github.zklock.shedlock.ZkLockProvider;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks of a fleet that moves from one provider of locks to another. */
class ShedLockMigrationTest {

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry registry = cluster.join();
    private final MinimumHold minimumHold = new MinimumHold();
    private final LockProvider old = new OldProvider();
    private final LockProvider fresh = new ZkLockProvider(registry, minimumHold, "/shedlock");
    private final LockProvider both = new BothProviders(old, fresh);

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void whoHasBothKeepsOutWhoHasOneOfThem() {
        SimpleLock held = both.lock(task()).orElseThrow();

        assertThat(old.lock(task())).isEmpty();
        assertThat(fresh.lock(task())).isEmpty();

        held.unlock();
        assertThat(old.lock(task())).isPresent();
        assertThat(fresh.lock(task())).isPresent();
    }

    @Test
    void whoHasOneKeepsOutWhoWantsBothAndNothingStaysBehind() {
        SimpleLock held = fresh.lock(task()).orElseThrow();

        assertThat(both.lock(task())).isEmpty();

        held.unlock();
        SimpleLock other = old.lock(task()).orElseThrow();
        assertThat(both.lock(task())).isEmpty();
        other.unlock();
        assertThat(both.lock(task())).isPresent();
    }

    @Test
    void anOutageOfTheNewOneGivesTheOldOneBack() {
        cluster.outage();

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> both.lock(task()));

        assertThat(old.lock(task())).isPresent();
    }

    private static LockConfiguration task() {
        return new LockConfiguration(Instant.now(), "nightly-report", Duration.ofMinutes(10), Duration.ZERO);
    }

    /** A lock in memory, for a provider whose jar need not be here. */
    private static final class OldProvider implements LockProvider {

        private final AtomicBoolean taken = new AtomicBoolean();

        @Override
        public Optional<SimpleLock> lock(LockConfiguration task) {
            return taken.compareAndSet(false, true) ? Optional.of(() -> taken.set(false)) : Optional.empty();
        }
    }
}
