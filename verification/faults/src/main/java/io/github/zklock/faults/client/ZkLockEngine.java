package io.github.zklock.faults.client;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.client.Answer.Outcome;
import io.github.zklock.faults.record.Disruption;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;

/** Ours, as a user would build it: handles from a registry. */
final class ZkLockEngine implements Engine {

    private final CuratorFramework client;
    private final ZooKeeperLockRegistry registry;

    ZkLockEngine(Place place, HandOff handOff) {
        client = Disruptions.client(place);
        registry = ZooKeeperLockRegistry.builder()
                .client(client)
                .basePath(place.basePath())
                .instance(place.instance())
                .handOff(handOff)
                .build();
    }

    /** On what is there already, and is closed by others. */
    ZkLockEngine(CuratorFramework client, ZooKeeperLockRegistry registry) {
        this.client = client;
        this.registry = registry;
    }

    @Override
    public Answer call(Call call, Work work) throws InterruptedException {
        try {
            Optional<LockHandle> granted = acquire(registry, call);
            if (granted.isEmpty()) {
                return Answer.of(Outcome.EMPTY);
            }
            try (LockHandle handle = granted.get()) {
                work.under(new HandleGrip(handle), Work.NOTHING_ELSE);
            }
            return Answer.of(Outcome.GIVEN_BACK);
        } catch (LockException e) {
            return Answer.of(e);
        }
    }

    @Override
    public Answer downgrade(String lock, Work writing, Work reading) throws InterruptedException {
        ClusterReadWriteLock both = registry.readWriteLock(lock);
        try (LockHandle writer = both.writeLock().acquire();
                LockContext.Scope scope = LockContext.open(writer)) {
            writing.under(new HandleGrip(writer), Work.NOTHING_ELSE);
            try (LockHandle reader = both.readLock().acquire()) {
                scope.close();
                writer.close();
                reading.under(new HandleGrip(reader), Work.NOTHING_ELSE);
            }
            return Answer.of(Outcome.GIVEN_BACK);
        } catch (LockException e) {
            return Answer.of(e);
        }
    }

    @Override
    public String session() {
        return registry.inspector().session().id();
    }

    @Override
    public void disrupt(Disruption disruption) throws Exception {
        Disruptions.apply(disruption, client);
    }

    @Override
    public void close() {
        registry.close();
        client.close();
    }

    private static Optional<LockHandle> acquire(LockRegistry registry, Call call) throws InterruptedException {
        return switch (call.wish().kind()) {
            case PERMITS -> acquirePermits(registry, call);
            case EXCLUSIVE, READ, WRITE -> acquire(lock(registry, call.wish()), call);
        };
    }

    private static Optional<LockHandle> acquire(ClusterLock lock, Call call) throws InterruptedException {
        return switch (call.how()) {
            case FOREVER -> Optional.of(lock.acquire());
            case ACQUIRE -> Optional.of(lock.acquire(call.maxWait()));
            case TRY -> lock.tryAcquire(call.maxWait());
        };
    }

    private static Optional<LockHandle> acquirePermits(LockRegistry registry, Call call) throws InterruptedException {
        Wish wish = call.wish();
        Duration maxWait = call.maxWait();
        return switch (call.how()) {
            case FOREVER ->
                Optional.of(registry.semaphore(wish.lock(), wish.of()).acquire(wish.permits()));
            case ACQUIRE ->
                Optional.of(registry.semaphore(wish.lock(), wish.of()).acquire(wish.permits(), maxWait));
            case TRY -> registry.semaphore(wish.lock(), wish.of()).tryAcquire(wish.permits(), maxWait);
        };
    }

    private static ClusterLock lock(LockRegistry registry, Wish wish) {
        return switch (wish.kind()) {
            case READ -> registry.readWriteLock(wish.lock()).readLock();
            case WRITE -> registry.readWriteLock(wish.lock()).writeLock();
            default -> registry.lock(wish.lock());
        };
    }
}
