package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.client.Engine.Work;
import io.github.zklock.faults.timeline.LockSpec;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.jspecify.annotations.Nullable;

/** Curator's mutex, read/write lock and semaphore, one of each per path. */
final class CuratorEngine extends PeerEngine {

    private static final int BETWEEN_QUESTIONS_MILLIS = 100;

    /** A run may be early by this part of its window, as with our own jobs. */
    private static final int TOLERATED_PART = 10;

    private final ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, InterProcessReadWriteLock> readWriteLocks = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, InterProcessSemaphoreV2> semaphores = new ConcurrentHashMap<>();

    CuratorEngine(ClientConfig config) {
        super(config);
    }

    @Override
    PeerLock lock(LockSpec spec) {
        return spec.kind() == LockKind.PERMITS ? new CuratorPermit(semaphore(spec)) : new CuratorLock(mutex(spec));
    }

    /** A latch cannot step down, so there is one for each term. */
    @Override
    public void lead(String name, CountDownLatch end, Term term) throws InterruptedException {
        while (end.getCount() > 0) {
            try (LeaderLatch latch = new LeaderLatch(curator, basePath + "/" + name)) {
                latch.start();
                boolean leads = false;
                while (!leads && end.getCount() > 0) {
                    leads = latch.await(BETWEEN_QUESTIONS_MILLIS, TimeUnit.MILLISECONDS);
                }
                if (leads) {
                    run(term, latch);
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("The latch has failed", e);
            }
        }
    }

    private static void run(Term term, LeaderLatch latch) throws InterruptedException {
        try (PeerTerm own = new PeerTerm(latch::hasLeadership, String.valueOf(latch.getOurPath()))) {
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    // the term has begun already
                }

                @Override
                public void notLeader() {
                    own.over();
                }
            });
            if (!latch.hasLeadership()) {
                own.over();
            }
            term.under(own);
        }
    }

    /** Curator has no jobs; ShedLock has, on Curator's client. */
    @Override
    public CallResult job(String name, Duration window, Work work) {
        Duration atLeast = window.minus(window.dividedBy(TOLERATED_PART));
        Optional<SimpleLock> begun = new ZookeeperCuratorLockProvider(curator, basePath)
                .lock(new LockConfiguration(Instant.now(), name, window, atLeast));
        if (begun.isEmpty()) {
            return CallResult.of(CallResult.Outcome.EMPTY);
        }
        // the lock cannot be asked whether it is held, so its user assumes that it is
        try (PeerTerm run = new PeerTerm(() -> true, "")) {
            work.under(run, Work.NOTHING_ELSE);
        }
        begun.get().unlock();
        return CallResult.of(CallResult.Outcome.RELEASED);
    }

    private InterProcessMutex mutex(LockSpec spec) {
        String path = basePath + "/" + spec.lock();
        return switch (spec.kind()) {
            case EXCLUSIVE -> mutexes.computeIfAbsent(path, it -> new InterProcessMutex(curator, it));
            case READ -> readWriteLock(path).readLock();
            case WRITE -> readWriteLock(path).writeLock();
            case PERMITS -> throw new IllegalArgumentException("Permits have no mutex: " + spec);
        };
    }

    private InterProcessSemaphoreV2 semaphore(LockSpec spec) {
        if (spec.permits() != 1) {
            throw new IllegalArgumentException("A caller of Curator's semaphore waits for one permit, not for " + spec);
        }
        String path = basePath + "/" + spec.lock();
        return semaphores.computeIfAbsent(path, it -> new InterProcessSemaphoreV2(curator, it, spec.of()));
    }

    private InterProcessReadWriteLock readWriteLock(String path) {
        return readWriteLocks.computeIfAbsent(path, it -> new InterProcessReadWriteLock(curator, it));
    }

    // the method is protected, and the mutexes of a read/write lock cannot be subclassed
    static String nodeOf(InterProcessMutex mutex) {
        try {
            Method path = InterProcessMutex.class.getDeclaredMethod("getLockPath");
            path.setAccessible(true);
            return String.valueOf(path.invoke(mutex));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot ask Curator's mutex for its node", e);
        }
    }

    private record CuratorLock(InterProcessMutex mutex) implements PeerLock {

        @Override
        public void lock() throws Exception {
            mutex.acquire();
        }

        @Override
        public boolean tryLock(Duration maxWait) throws Exception {
            return mutex.acquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void unlock() throws Exception {
            mutex.release();
        }

        @Override
        public boolean isHeld() {
            return mutex.isOwnedByCurrentThread();
        }

        @Override
        public String node() {
            return nodeOf(mutex);
        }
    }

    /** One permit of one call. Curator counts permits in nodes of its own, which are no seats. */
    private static final class CuratorPermit implements PeerLock {

        private final InterProcessSemaphoreV2 semaphore;
        private volatile @Nullable Lease lease;

        CuratorPermit(InterProcessSemaphoreV2 semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        public void lock() throws Exception {
            lease = semaphore.acquire();
        }

        @Override
        public boolean tryLock(Duration maxWait) throws Exception {
            lease = semaphore.acquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
            return isHeld();
        }

        @Override
        public void unlock() {
            semaphore.returnLease(lease);
            lease = null;
        }

        @Override
        public boolean isHeld() {
            return lease != null;
        }

        @Override
        public String node() {
            return "";
        }
    }
}
