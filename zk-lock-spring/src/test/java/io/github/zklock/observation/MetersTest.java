package io.github.zklock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.Actor;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetersTest {

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private ZooKeeperLockRegistry registry;
    private LockMeters lockMeters;

    @BeforeEach
    void open() {
        registry = ZooKeeperLockRegistry.builder()
                .connectString(TestApplication.server().connectString())
                .sessionTimeout(Duration.ofSeconds(10))
                .holdWarning(Duration.ofMillis(1))
                .build();
        lockMeters = new LockMeters(Map.of("zkLockRegistry", registry), List.of("/orders/**"));
        lockMeters.bindTo(meters);
    }

    @AfterEach
    void close() {
        lockMeters.close();
        registry.close();
    }

    @Test
    void timesAcquisitionsAndHolds() throws Exception {
        registry.lock("/orders/1").acquire().close();

        awaitCount("zklock.holds", "lock", "/orders/**");
        assertThat(meters.get("zklock.acquisitions")
                        .tags("registry", "zkLockRegistry", "lock", "/orders/**", "outcome", "acquired")
                        .timer()
                        .totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
        assertThat(meters.get("zklock.holds").tags("lock", "/orders/**").timer().totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
    }

    @Test
    void countsGrantsByWhetherTheyNeededASeat() throws Exception {
        try (Actor clerk = new Actor("clerk");
                LockHandle first = registry.lock("/turns").acquire()) {
            Future<LockHandle> second =
                    clerk.start(() -> registry.lock("/turns").acquire());
            Awaitility.await().until(() -> !registry.inspector().awaited().isEmpty());
            first.close();
            Actor.join(second).close();
        }

        awaitCount("zklock.turns", "seat", "new");
        awaitCount("zklock.turns", "seat", "kept");
    }

    @Test
    void countsTimeouts() throws Exception {
        try (LockHandle taken = registry.lock("/taken").acquire()) {
            assertThat(registry.lock("/taken").tryAcquire(Duration.ofMillis(1))).isEmpty();
            assertThat(taken.isHeld()).isTrue();
        }

        awaitCount("zklock.acquisitions", "outcome", "timeout");
    }

    @Test
    void countsLossesAndLongHolds() throws Exception {
        LockHandle handle = registry.lock("/orders/lost").acquire();
        awaitCount("zklock.long.holds", "lock", "/orders/**");
        String seat = registry.inspector().queue("/orders/lost").get(0).id();

        registry.inspector().evict("/orders/lost", seat);

        awaitCount("zklock.losses", "lock", "/orders/**");
        assertThat(handle.isHeld()).isFalse();
    }

    @Test
    void countsWaitsThatEndInAnOutage() {
        ZooKeeperLockRegistry nowhere =
                ZooKeeperLockRegistry.builder().connectString("127.0.0.1:1").build();
        try (LockMeters unreachable = new LockMeters(Map.of("nowhere", nowhere), List.of())) {
            unreachable.bindTo(meters);

            assertThat(catchThrowable(() -> nowhere.lock("/x").tryAcquire(Duration.ofMillis(1))))
                    .isNotNull();

            Awaitility.await()
                    .until(() -> meters.get("zklock.acquisitions")
                                    .tags("registry", "nowhere", "outcome", "unavailable")
                                    .timer()
                                    .count()
                            == 1);
            assertThat(gauge("zklock.session.connected", "nowhere")).isZero();
        } finally {
            nowhere.close();
        }
    }

    @Test
    void gaugesShowTheCurrentState() throws Exception {
        try (LockHandle handle = registry.lock("/gauges").acquire();
                Actor clerk = new Actor("clerk")) {
            Future<LockHandle> wait = clerk.start(() -> registry.lock("/gauges").acquire());
            Awaitility.await().until(() -> gauge("zklock.waiting", "zkLockRegistry") == 1);

            assertThat(gauge("zklock.held", "zkLockRegistry")).isEqualTo(1);
            assertThat(gauge("zklock.session.connected", "zkLockRegistry")).isEqualTo(1);
            assertThat(gauge("zklock.session.seat.bytes", "zkLockRegistry")).isPositive();
            assertThat(gauge("zklock.session.seat.budget", "zkLockRegistry")).isEqualTo(512 * 1024);
            assertThat(meters.get("zklock.session.remaining").timeGauge().value(TimeUnit.SECONDS))
                    .isBetween(0.001, 20.0);
            assertThat(meters.get("zklock.session.renewals").functionCounter().count())
                    .isPositive();
            handle.close();
            Actor.join(wait).close();
        }
    }

    @Test
    void theCountersOfEachPatternExistBeforeTheirFirstEvent() {
        assertThat(meters.get("zklock.losses").counters())
                .extracting(counter -> counter.getId().getTag("lock"))
                .containsExactlyInAnyOrder("/orders/**", "other");
    }

    @Test
    void noTagContainsTheNameOfALock() throws Exception {
        registry.lock("/customers/4711").acquire().close();
        awaitCount("zklock.holds", "lock", "other");

        assertThat(meters.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .noneMatch(tag -> tag.getValue().contains("4711"));
    }

    @Test
    void eachMeterHasADescriptionAndIsInTheDocs() throws Exception {
        String docs = Files.readString(Path.of("..", "docs", "operations.md"));

        assertThat(meters.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsOnly(
                        Stream.of(LockMeter.values()).map(meter -> meter.key).toArray(String[]::new));
        assertThat(meters.getMeters()).allSatisfy(meter -> {
            Meter.Id id = meter.getId();
            assertThat(docs.contains("`" + id.getName() + "`")).as(id.getName()).isTrue();
            assertThat(id.getDescription()).isNotBlank();
            assertThat(id.getTag("registry")).isEqualTo("zkLockRegistry");
        });
    }

    @Test
    void showsTheLeader() throws Exception {
        try (Leadership first = registry.leadership("/leader");
                Leadership second = registry.leadership("/other")) {
            new LeadershipMeters(() -> List.of(first, second)).bindTo(meters);
            first.start();

            Awaitility.await().until(() -> leader("/leader") == 1);
            assertThat(leader("/other")).isZero();
            first.close();
            assertThat(leader("/leader")).isZero();
        }
        assertThat(Files.readString(Path.of("..", "docs", "operations.md"))).contains("`zklock.leader`");
    }

    private double leader(String name) {
        return meters.get("zklock.leader").tag("leadership", name).gauge().value();
    }

    private double gauge(String name, String registryName) {
        return meters.get(name).tag("registry", registryName).gauge().value();
    }

    private void awaitCount(String name, String tag, String value) {
        Awaitility.await()
                .until(() -> meters.find(name).tag(tag, value).meters().stream()
                        .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                        .anyMatch(measurement ->
                                measurement.getStatistic().name().equals("COUNT") && measurement.getValue() >= 1));
    }
}
