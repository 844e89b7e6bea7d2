package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deadlines hold with all servers down: the one suite that asserts times. */
class OutageDeadlineTest {

    private static final Duration WAIT = Duration.ofMillis(200);
    private static final Duration MEDIAN = Duration.ofMillis(250);
    private static final Duration CLOSE = Duration.ofMillis(20);
    private static final int ROUNDS = 20;

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private ZooKeeperLockRegistry registry;

    @BeforeEach
    void connect() throws Exception {
        registry = real.open(RealServer.builder()
                .connectString(server.connectString())
                .sessionTimeout(Duration.ofMinutes(1))
                .build());
        // classes are loaded and the session is there
        registry.lock("/warm").acquire().close();
    }

    @AfterEach
    void startAgain() {
        if (!server.isRunning()) {
            server.start();
        }
    }

    @Test
    void acquireEndsInTime() {
        server.stop();

        assertInTime(
                "acquire",
                () -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> registry.lock("/down").acquire(WAIT)));
    }

    @Test
    void tryAcquireEndsInTimeAndIsNeverEmpty() {
        server.stop();

        assertInTime(
                "tryAcquire",
                () -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> registry.lock("/down").tryAcquire(WAIT)));
    }

    @Test
    void closeReturnsAtOnceAndTheSeatGoesWhenTheServerIsBack() throws Exception {
        List<LockHandle> handles = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            handles.add(registry.lock("/held/" + i).acquire());
        }
        server.stop();
        List<Duration> times = new ArrayList<>();

        for (LockHandle handle : handles) {
            long start = System.nanoTime();
            handle.close();
            times.add(Duration.ofNanos(System.nanoTime() - start));
        }

        report("close", times);
        // the median, as the machine may take any one of them aside
        assertThat(median(times)).isLessThanOrEqualTo(CLOSE);
        assertThat(handles).allMatch(handle -> handle.state() == LockState.RELEASED);
        assertThat(handles)
                .noneMatch(handle -> handle.released().toCompletableFuture().isDone());
        server.start();
        handles.forEach(handle -> Actor.join(handle.released().toCompletableFuture()));
        assertThat(Leftovers.seats(server)).isEmpty();
    }

    private static void assertInTime(String what, Runnable attempt) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            attempt.run();
            times.add(Duration.ofNanos(System.nanoTime() - start));
        }
        report(what, times);
        assertThat(times).allSatisfy(time -> assertThat(time).isGreaterThanOrEqualTo(WAIT));
        assertThat(median(times)).isLessThanOrEqualTo(MEDIAN);
    }

    private static Duration median(List<Duration> times) {
        return times.stream().sorted().skip(times.size() / 2).findFirst().orElseThrow();
    }

    private static void report(String what, List<Duration> times) {
        System.out.printf(
                "with all servers down, %s: median %s, maximum %s of %d%n",
                what, median(times), Collections.max(times), times.size());
    }
}
