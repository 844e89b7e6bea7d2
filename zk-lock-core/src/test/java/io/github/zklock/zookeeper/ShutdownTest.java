package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M31: a lock in use is not given away by a shutdown, and what nobody uses is. */
class ShutdownTest {

    private static final String NAME = "/orders";
    private static final Duration LONG = Duration.ofMinutes(1);

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();

    @Test
    void aLockThatIsHeldOutlivesTheCloseOfItsRegistry() throws Exception {
        try (ZooKeeperLockRegistry other = registry().build()) {
            ZooKeeperLockRegistry closed = registry().build();
            LockHandle handle = closed.lock(NAME).acquire(LONG);

            closed.close();

            assertThat(handle.state()).isEqualTo(LockState.HELD);
            assertThat(other.lock(NAME).tryAcquire()).isEmpty();
            assertThatExceptionOfType(LockRegistryClosedException.class)
                    .isThrownBy(() -> closed.lock("/another").acquire());
            handle.close();
            other.lock(NAME).acquire(LONG).close();
        }
    }

    @Test
    void theSessionOfAClosedRegistryIsRenewedWhileALockIsHeldAndEndsWithTheLastHold() throws Exception {
        ZooKeeperLockRegistry closed = registry().build();
        LockHandle one = closed.lock(NAME).acquire(LONG);
        LockHandle two = closed.lock("/two").acquire(LONG);
        closed.close();
        long before = closed.inspector().session().renewals();

        Awaitility.await().atMost(LONG).until(() -> closed.inspector().session().renewals() > before + 8);
        one.close();
        Actor.join(one.released().toCompletableFuture());

        assertThat(two.isHeld()).isTrue();
        two.close();
        Awaitility.await().atMost(LONG).until(() -> server.sessions().isEmpty());
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // the steps are what is looked at
    void aHoldThatBeganBeforeCanBeReenteredAfterTheClose() throws Exception {
        ZooKeeperLockRegistry closed = registry().build();
        closed.lock(NAME).lock();
        closed.close();

        closed.lock(NAME).lock();
        closed.lock(NAME).unlock();

        assertThat(closed.inspector().held()).hasSize(1);
        closed.lock(NAME).unlock();
    }

    @Test
    void seatsThatNobodyHoldsGoWhileOthersAreHeld() throws Exception {
        ZooKeeperLockRegistry closed =
                registry().handOff(HandOff.bounded(10, LONG).lingering(LONG)).build();
        closed.lock("/lingering").acquire(LONG).close();
        LockHandle handle = closed.lock("/held").acquire(LONG);
        try (ZooKeeperLockRegistry other = registry().build()) {
            LockHandle blocking = other.lock(NAME).acquire(LONG);
            try (Actor waiter = new Actor("waiter")) {
                Future<?> wait = waiter.startAct(() -> closed.lock(NAME).acquire());
                Awaitility.await()
                        .atMost(LONG)
                        .until(() -> Leftovers.seats(server).size() == 4);

                closed.close();

                assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(wait));
            }
            assertThat(Leftovers.seats(server)).hasSize(2).anyMatch(path -> path.startsWith("/locks/held/"));
            blocking.close();
        }
        handle.close();
        Awaitility.await().atMost(LONG).until(() -> Leftovers.seats(server).isEmpty());
    }

    @Test
    void aLockInUseIsNotGivenAwayWhileItsJvmEnds() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExitingHolder.class.getName(),
                        server.connectString(),
                        NAME)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (ZooKeeperLockRegistry other = registry().build();
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            awaitWord(said, "HELD");

            child.toHandle().destroy();

            awaitWord(said, "CLOSED");
            assertThat(other.lock(NAME).tryAcquire()).isEmpty();
            try (OutputStream orders = child.getOutputStream()) {
                orders.write('\n');
            }
            awaitWord(said, "HELD");
            child.waitFor();
            other.lock(NAME).acquire(LONG).close();
        } finally {
            child.destroyForcibly();
        }
    }

    /** Skips what loggers print. */
    private static void awaitWord(BufferedReader said, String word) throws IOException {
        for (String line = said.readLine(); ; line = said.readLine()) {
            assertThat(line).as("the child ended before it said " + word).isNotNull();
            if (line.equals(word)) {
                return;
            }
            assertThat(line).isNotIn("HELD", "CLOSED", "LOST", "RELEASED", "SUSPENDED");
        }
    }

    private ZooKeeperLockRegistry.Builder registry() {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .sessionTimeout(Duration.ofSeconds(6));
    }
}
