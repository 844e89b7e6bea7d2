package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.contract.ClusterFixture;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** The fixture of the contract suites for the cluster in memory. */
final class MemoryCluster implements ClusterFixture {

    // the engine checks its holds every eighth of the session timeout, so about once a second
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration CONNECTION = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Numbers the members of all tests: Spring keeps the contexts of other tests, whose locks have threads as well. */
    private static final AtomicInteger MEMBERS = new AtomicInteger();

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final HandOff handOff;

    MemoryCluster(HandOff handOff) {
        this.handOff = handOff;
    }

    @Override
    public Member join(Options options) {
        String name = "member-" + MEMBERS.incrementAndGet();
        names.add("zk-lock-" + name + "-");
        InMemoryLockRegistry.Builder builder = InMemoryLockRegistry.builder()
                .cluster(cluster)
                .instance(name)
                .sessionTimeout(options.sessionTimeout().orElse(SESSION))
                .connectionTimeout(CONNECTION);
        options.policy().ifPresentOrElse(builder::policy, () -> builder.handOff(handOff));
        options.maxHold().ifPresent(builder::maxHold);
        options.holdWarning().ifPresent(builder::holdWarning);
        builder.onClose(options.onClose());
        options.listeners().forEach(builder::listener);
        return new Registered(builder.build());
    }

    @Override
    public void outage() {
        cluster.outage();
    }

    @Override
    public void heal() {
        cluster.heal();
    }

    @Override
    public void forceOut(String name) {
        assertThat(cluster.forceOut(name)).as("a seat at the head of " + name).isTrue();
    }

    @Override
    public int queued(String name) {
        return cluster.servers().seats(LockName.of(name));
    }

    @Override
    public boolean isEventThread(Thread thread) {
        // threads of the engine, on which no user code may run
        return thread.getName().matches("zk-lock-.*-(timer|watch|loop)(-\\d+)?");
    }

    @Override
    public void assertNothingLeft() {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(cluster.servers().isEmpty())
                        .as("no process left")
                        .isTrue());
    }

    @Override
    public void close() {
        cluster.close();
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(thread -> names.stream().anyMatch(thread::startsWith)));
    }

    private record Registered(InMemoryLockRegistry registry) implements Member {

        @Override
        public void expireSession() {
            registry.loseSession();
        }

        @Override
        public void close() {
            registry.close();
        }
    }
}
