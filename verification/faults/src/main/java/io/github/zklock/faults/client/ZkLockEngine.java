package io.github.zklock.faults.client;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.client.Answer.Outcome;
import io.github.zklock.faults.record.Disruption;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** Ours, as a user would build it: handles from a registry. */
final class ZkLockEngine implements Engine {

    private final ZooKeeperLockRegistry registry;
    private final Taker taker;
    /** Null if it is the registry's own. */
    private final @Nullable CuratorFramework client;

    private ZkLockEngine(ZooKeeperLockRegistry registry, Taker taker, @Nullable CuratorFramework client) {
        this.registry = registry;
        this.taker = taker;
        this.client = client;
    }

    /** By calls that block, on a client that others may use as well. */
    static ZkLockEngine onASharedClient(Place place, HandOff handOff) {
        CuratorFramework shared = Disruptions.client(place);
        return of(builder(place, handOff).client(shared).build(), shared);
    }

    /** By futures, on a client that the registry makes for itself. */
    static ZkLockEngine onItsOwnClient(Place place, HandOff handOff) {
        ZooKeeperLockRegistry registry = builder(place, handOff)
                .connectString(place.connectString())
                .sessionTimeout(place.sessionTimeout())
                .connectionTimeout(place.sessionTimeout())
                .build();
        return new ZkLockEngine(registry, new FutureTaker(), null);
    }

    /** By calls that block, of what is there already. */
    static ZkLockEngine of(ZooKeeperLockRegistry registry, CuratorFramework client) {
        return new ZkLockEngine(registry, new CallTaker(), client);
    }

    private static ZooKeeperLockRegistry.Builder builder(Place place, HandOff handOff) {
        return ZooKeeperLockRegistry.builder()
                .basePath(place.basePath())
                .instance(place.instance())
                .handOff(handOff);
    }

    @Override
    public Answer call(Call call, Work work) throws InterruptedException {
        try {
            Optional<LockHandle> granted = taker.take(registry, call);
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
    public LockRegistry registry() {
        return registry;
    }

    @Override
    public String session() {
        return registry.inspector().session().id();
    }

    @Override
    public void disrupt(Disruption disruption) throws Exception {
        if (client == null) {
            throw new UnsupportedOperationException("Nobody else has the client of this registry: " + disruption);
        }
        Disruptions.apply(disruption, client);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for holders that go on
    public void close() {
        registry.close();
        if (client != null) {
            registry.terminated().thenRun(client::close);
        }
    }
}
