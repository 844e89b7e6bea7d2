package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.timeline.LockSpec;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** The lock registry of Spring Integration. */
final class SpringIntegrationEngine extends PeerEngine {

    private static final int BETWEEN_QUESTIONS_MILLIS = 100;

    private final ZookeeperLockRegistry registry;

    SpringIntegrationEngine(ClientConfig config) {
        super(config);
        registry = new ZookeeperLockRegistry(curator, basePath);
    }

    @Override
    PeerLock lock(LockSpec spec) {
        if (spec.kind() != LockKind.EXCLUSIVE) {
            throw new IllegalArgumentException("Spring Integration's registry has exclusive locks only, no " + spec);
        }
        return new SpringIntegrationLock(registry.obtain(spec.lock()));
    }

    /** An initiator does not wait before it is the leader again, so there is one for each term. */
    @Override
    public void lead(String name, CountDownLatch end, Term term) throws InterruptedException {
        while (end.getCount() > 0) {
            LeaderCandidate candidate = new LeaderCandidate(name);
            LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, candidate);
            initiator.start();
            try {
                boolean leads = false;
                while (!leads && end.getCount() > 0) {
                    leads = candidate.granted.await(BETWEEN_QUESTIONS_MILLIS, TimeUnit.MILLISECONDS);
                }
                if (leads) {
                    try (PeerTerm own =
                            new PeerTerm(() -> initiator.getContext().isLeader(), "")) {
                        candidate.begin(own);
                        term.under(own);
                    }
                }
            } finally {
                initiator.stop();
            }
        }
    }

    /** Follows one term of an initiator. */
    private static final class LeaderCandidate extends DefaultCandidate {

        private final CountDownLatch granted = new CountDownLatch(1);

        // guarded by this
        private @Nullable PeerTerm term;
        private boolean revoked;

        LeaderCandidate(String role) {
            super(role, role);
        }

        @Override
        public void onGranted(Context context) {
            granted.countDown();
        }

        @Override
        public synchronized void onRevoked(Context context) {
            revoked = true;
            if (term != null) {
                term.over();
            }
        }

        synchronized void begin(PeerTerm own) {
            term = own;
            if (revoked) {
                own.over();
            }
        }
    }

    @Override
    public void close() {
        registry.destroy();
        super.close();
    }

    /** The lock cannot be asked whether it is held, so its user assumes that it is. */
    private record SpringIntegrationLock(Lock obtained) implements PeerLock {

        @Override
        public void lock() {
            obtained.lock();
        }

        @Override
        public boolean tryLock(Duration maxWait) throws InterruptedException {
            return obtained.tryLock(maxWait.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void unlock() {
            obtained.unlock();
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public String node() {
            try {
                Field mutex = obtained.getClass().getDeclaredField("mutex");
                mutex.setAccessible(true);
                return CuratorEngine.nodeOf((InterProcessMutex) mutex.get(obtained));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Cannot find the mutex in " + obtained, e);
            }
        }
    }
}
