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
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Renewal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The cluster of the contracts on a real server. */
final class ZooKeeperCluster implements ClusterFixture {

    // long enough for a machine that stalls for seconds, short enough that renewals come each second or so
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration CONNECTION = Duration.ofSeconds(3);

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final Set<ZooKeeperLockRegistry> registries = ConcurrentHashMap.newKeySet();
    private final HandOff handOff;

    ZooKeeperCluster(HandOff handOff) {
        this.handOff = handOff;
    }

    @Override
    public Member join(Options options) {
        ZooKeeperLockRegistry.Builder builder = ZooKeeperLockRegistry.builder()
                .connectString(twice(server.connectString()))
                .sessionTimeout(options.sessionTimeout().orElse(SESSION))
                .connectionTimeout(CONNECTION)
                .retry(Duration.ofMillis(10), Duration.ofMillis(100))
                .onClose(options.onClose());
        options.policy().ifPresentOrElse(builder::policy, () -> builder.handOff(handOff));
        options.maxHold().ifPresent(builder::maxHold);
        options.holdWarning().ifPresent(builder::holdWarning);
        options.listeners().forEach(builder::listener);
        ZooKeeperLockRegistry registry = builder.build();
        registries.add(registry);
        return new Registered(registry);
    }

    /**
     * Returns the address as that of two servers. After a connection is lost, ZooKeeper's client pauses for a second
     * before it connects to the only server again, but not before it connects to another one.
     */
    private static String twice(String address) {
        return address + "," + address;
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
        // each process checks its seats every eighth of the session timeout; no test needs to wait for that
        registries.forEach(registry ->
                engineOf(registry).run(engine -> engine.keeper().connected().ifPresent(ZooKeeperCluster::checkSeats)));
    }

    static EngineAccess engineOf(ZooKeeperLockRegistry registry) {
        return ((EngineReadWriteLock) registry.readWriteLock("/any")).engine();
    }

    private static void checkSeats(PinnedSession session) {
        new Renewal(session, "/locks").run();
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
            registries.remove(registry);
            registry.close();
        }
    }
}
