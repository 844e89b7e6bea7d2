package io.github.zklock.benchmarks.contender;

import io.github.zklock.ClusterLock;
import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.curator.framework.CuratorFramework;

/** This library, asked for futures; whoever measures waits for them. */
final class ZkLockAsync implements Contender {

    private final CuratorFramework client;
    private final ZooKeeperLockRegistry locks;

    ZkLockAsync(String servers, HandOff handOff) {
        client = Clients.connect(ZooKeeperLockRegistry.clientBuilder(), servers);
        locks = ZooKeeperLockRegistry.builder().client(client).handOff(handOff).build();
    }

    @Override
    public Claim exclusive(String name) {
        ClusterLock lock = locks.lock(name);
        return new Claim() {

            @Override
            public Held take() throws ExecutionException, InterruptedException {
                return lock.acquireAsync().get()::close;
            }

            @Override
            public Optional<Held> tryTake() throws InterruptedException {
                return lock.tryAcquire().map(handle -> handle::close);
            }
        };
    }

    @Override
    public void close() {
        locks.close();
        client.close();
    }
}
