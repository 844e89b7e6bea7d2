package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.LockEvent;
import io.github.zklock.LockEvent.Acquired;
import io.github.zklock.LockEvent.Lost;
import io.github.zklock.LockEvent.Queued;
import io.github.zklock.LockEvent.Released;
import io.github.zklock.LockEvent.TimedOut;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockRecordingTest {

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry registry = cluster.join();
    private final LockRecording recording = LockRecording.of(registry);

    @AfterEach
    void close() {
        recording.close();
        cluster.close();
    }

    @Test
    void returnsGrantsAndReleasesInOrder() throws Exception {
        try (LockHandle x = registry.lock("/x").acquire();
                LockHandle y = registry.lock("/y").acquire()) {
            assertThat(recording.taken()).containsExactly("/x", "/y");
            assertThat(recording.released()).isEmpty();
            assertThat(recording.events(Acquired.class))
                    .extracting(Acquired::token)
                    .containsExactly(x.fencingToken(), y.fencingToken());
        }

        assertThat(recording.released()).containsExactly("/y", "/x");
        assertThat(recording.lost()).isEmpty();
        assertThat(recording.events())
                .hasExactlyElementsOfTypes(
                        LockEvent.Queued.class,
                        Acquired.class,
                        LockEvent.Queued.class,
                        Acquired.class,
                        Released.class,
                        Released.class);
    }

    @Test
    void isCompleteIfReadAtOnce() throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= 300; i++) {
            registry.lock("/" + i).acquire().close();
            names.add("/" + i);

            assertThat(recording.taken()).hasSize(i);
            assertThat(recording.released()).hasSize(i);
        }

        assertThat(recording.taken()).isEqualTo(names);
    }

    @Test
    void isCompleteWhileAnotherListenerIsStuck() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        registry.addListener(event -> {
            try {
                late.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        registry.lock("/x").acquire().close();

        assertThat(recording.taken()).containsExactly("/x");
        late.countDown();
    }

    @Test
    void recordsLosses() throws Exception {
        registry.lock("/x").acquire();

        registry.loseSession();

        assertThat(recording.lost()).containsExactly("/x");
        assertThat(recording.events(Lost.class)).extracting(Lost::reason).containsExactly("its session ended");
        assertThat(recording.released()).isEmpty();
    }

    @Test
    void isCompleteDuringAnOutage() throws Exception {
        registry.lock("/x").acquire();

        cluster.outage();

        assertThat(recording.events(LockEvent.Suspended.class)).hasSize(1);
        assertThat(registry.inspector().awaited()).isEmpty();
        cluster.heal();
        assertThat(recording.events(LockEvent.Resumed.class)).hasSize(1);
    }

    @Test
    void recordsFailedAcquisitions() throws Exception {
        cluster.join().lock("/x").acquire();

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> registry.lock("/x").acquire(Duration.ofMillis(1)));

        assertThat(recording.taken()).isEmpty();
        assertThat(recording.events()).hasExactlyElementsOfTypes(Queued.class, TimedOut.class);
    }

    @Test
    void countsAReentryOnce() throws Exception {
        registry.executeLocked("/x", outer -> registry.executeLocked("/x", inner -> inner.isHeld()));

        assertThat(recording.taken()).containsExactly("/x");
        assertThat(recording.released()).containsExactly("/x");
    }

    @Test
    void keepsEventsAfterAClear() throws Exception {
        LockHandle handle = registry.lock("/x").acquire();

        recording.clear();
        handle.close();

        assertThat(recording.taken()).isEmpty();
        assertThat(recording.released()).containsExactly("/x");
    }

    @Test
    void leavesNoLockOfItsOwnBehindAndDoesNotRecordIt() throws Exception {
        LockRecording other = LockRecording.of(registry);

        assertThat(recording.events()).isEmpty();
        assertThat(other.events()).isEmpty();
        assertThat(recording.events()).isEmpty();

        LockAssertions.assertThat(registry).holdsNothing();
        assertThat(registry.inspector().awaited()).isEmpty();
        assertThat(other).hasToString("LockRecording[]");
    }

    @Test
    void recordsNeitherOtherRegistriesNorEventsAfterClose() throws Exception {
        cluster.join().lock("/x").acquire();
        assertThat(recording.events()).isEmpty();

        recording.close();

        registry.lock("/y").acquire();
        assertThat(recording).hasToString("LockRecording[]");
    }

    @Test
    void failsIfReadAfterTheRegistryIsClosed() {
        registry.close();

        assertThatIllegalStateException()
                .isThrownBy(recording::taken)
                .withMessage(
                        "The recording of %s cannot be completed: the registry is closed. Read the recording"
                                + " before the registry is closed",
                        registry);
    }
}
