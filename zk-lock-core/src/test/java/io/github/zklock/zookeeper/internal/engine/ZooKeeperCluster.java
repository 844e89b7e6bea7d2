package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.contract.ClusterFixture;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Operator;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The cluster of the contracts on a real server. */
final class ZooKeeperCluster implements ClusterFixture {

    // long enough for a machine that stalls for seconds, short enough that renewals come each second or so
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration CONNECTION = Duration.ofSeconds(3);

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final HandOff handOff;

    ZooKeeperCluster(HandOff handOff) {
        this.handOff = handOff;
    }

    LocalZooKeeper server() {
        return server;
    }

    @Override
    public Member join(Options options) {
        ZooKeeperLockRegistry.Builder builder = ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .sessionTimeout(options.sessionTimeout().orElse(SESSION))
                .connectionTimeout(CONNECTION)
                .retry(Duration.ofMillis(10), Duration.ofMillis(100))
                .onClose(options.onClose());
        options.policy().ifPresentOrElse(builder::policy, () -> builder.handOff(handOff));
        options.maxHold().ifPresent(builder::maxHold);
        options.holdWarning().ifPresent(builder::holdWarning);
        options.listeners().forEach(builder::listener);
        return new Registered(builder.build());
    }

    @Override
    public void outage() {
        server.stop();
    }

    @Override
    public void heal() {
        if (!server.isRunning()) {
            server.start();
        }
    }

    @Override
    public void forceOut(String name) {
        try (Operator operator = new Operator(server.connectString())) {
            operator.delete(seats(name).get(0));
        }
    }

    @Override
    public int queued(String name) {
        return seats(name).size();
    }

    /** The nodes of this lock's queue, holder first. */
    List<String> seats(String name) {
        String folder = LockFolder.of("/locks", LockName.of(name));
        return Leftovers.seats(server).stream()
                .filter(path -> path.substring(0, path.lastIndexOf('/')).equals(folder))
                .sorted(Comparator.comparing(path -> path.substring(path.length() - 10)))
                .toList();
    }

    @Override
    public boolean isEventThread(Thread thread) {
        return thread.getName().contains("-EventThread") || thread.getName().contains("-SendThread");
    }

    @Override
    public void assertNothingLeft() {
        Leftovers.assertNone(server);
    }

    @Override
    public void close() {
        server.close();
    }

    private final class Registered implements Member {

        private final ZooKeeperLockRegistry registry;

        Registered(ZooKeeperLockRegistry registry) {
            this.registry = registry;
        }

        @Override
        public LockRegistry registry() {
            return registry;
        }

        @Override
        public void expireSession() {
            server.expire(Long.parseUnsignedLong(registry.inspector().session().id(), 16));
        }

        @Override
        public void close() {
            registry.close();
        }
    }
}
