package io.github.zklock.test;

import static io.github.zklock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockAssertionsTest {

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry here = cluster.join();
    private final InMemoryLockRegistry there = cluster.join();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aHandleIsSeenToBeHeldThenReleased() throws Exception {
        LockHandle handle = here.lock("/x").acquire();

        assertThat(handle).isHeld().hasName("x").hasToken(handle.fencingToken());
        handle.close();
        assertThat(handle).isReleased().isNotHeld();
    }

    @Test
    void aHandleIsSeenToBeSuspendedThenLost() throws Exception {
        LockHandle handle = here.lock("/x").acquire();

        here.suspend();

        assertThat(handle).isSuspended().isNotHeld();
        here.loseSession();
        assertThat(handle).isLost().isNotHeld();
    }

    @Test
    void theFailureOfAHandleThatIsNotHeldStatesTheReason() throws Exception {
        LockHandle handle = here.lock("/x").acquire();
        here.loseSession();

        assertFails(() -> assertThat(handle).isHeld())
                .withMessageStartingWith("Expected lock '/x' (token %s) to be held, but it is LOST. Lock '/x' was lost"
                        .formatted(handle.fencingToken()))
                .withMessageContaining("its session ended");
        assertFails(() -> assertThat(handle).isReleased())
                .withMessageContaining("to be released, but it is LOST. Lock '/x' was lost");
    }

    @Test
    void aHandleThatIsHeldIsNeitherLostNorReleased() throws Exception {
        LockHandle handle = here.lock("/x").acquire();

        assertFails(() -> assertThat(handle).isLost())
                .withMessage("Expected lock '/x' (token %s) to be lost, but it is HELD", handle.fencingToken());
        assertFails(() -> assertThat(handle).isNotHeld())
                .withMessageContaining("not to be held, but it is, for another 20 s");
        assertFails(() -> assertThat(handle).hasName("/y"))
                .withMessageStartingWith("Expected a handle of lock '/y', but it is one of lock '/x' (token ");
    }

    @Test
    void laterGrantsAreNewer() throws Exception {
        LockHandle earlier = here.lock("/x").acquire();
        earlier.close();
        LockHandle later = there.lock("/x").acquire();

        assertThat(later).isNewerThan(earlier).hasTokenAbove(earlier.fencingToken());
        assertFails(() -> assertThat(earlier).isNewerThan(later))
                .withMessage(
                        "Expected lock '/x' (token %s) to have a token above %s",
                        earlier.fencingToken(), later.fencingToken());
        assertFails(() -> assertThat(later).hasTokenOf(earlier))
                .withMessageContaining("to have token " + earlier.fencingToken());
    }

    @Test
    void tokensOfDifferentLocksAreNotCompared() throws Exception {
        LockHandle x = here.lock("/x").acquire();
        LockHandle y = here.lock("/y").acquire();

        assertFails(() -> assertThat(y).isNewerThan(x))
                .withMessageStartingWith("Expected a handle of lock '/x', but it is one of lock '/y'")
                .withMessageEndingWith("tokens of different locks cannot be compared");
    }

    @Test
    void aReentryHasTheTokenOfTheOuterOne() throws Exception {
        here.executeLocked("/x", outer -> {
            try (LockHandle inner = here.lock("/x").acquire()) {
                return assertThat(inner).hasTokenOf(outer);
            }
        });
    }

    @Test
    void aHandleOfSeveralLocksNamesAll() throws Exception {
        Handle handle = here.allOf("/x", "/y").acquire();

        assertThat(handle).isHeld();
        assertFails(() -> assertThat(handle).isLost())
                .withMessageMatching(
                        "Expected lock '/x' \\(token \\d+\\), lock '/y' \\(token \\d+\\) to be lost, but it is HELD");
        assertFails(() -> assertThat(handle).hasName("/x")).withMessageContaining("assert its parts()");
    }

    @Test
    void aRegistryHoldsWhatItHasAcquired() throws Exception {
        LockHandle x = here.lock("/x").acquire();
        LockHandle y = here.readWriteLock("/y").readLock().acquire();

        assertThat(here).holds("x").holds("/y").holdsOnly("/y", "/x").isConnected();
        assertThat(there).holdsNothing().doesNotHold("/x");
        x.close();
        y.close();
        assertThat(here).holdsNothing();
    }

    @Test
    void theFailureNamesTheActualHolder() throws Exception {
        there.lock("/x").acquire();

        assertFails(() -> assertThat(here).holds("/x"))
                .withMessage(
                        "Expected %s to hold lock '/x', but it holds nothing; its queue: thread '%s' of process-2 holds"
                                + " (EXCLUSIVE)",
                        here, Thread.currentThread().getName());
        assertFails(() -> assertThat(here).holds("/y"))
                .withMessageEndingWith("but it holds nothing; no process of the cluster holds it");
    }

    @Test
    void theFailureNamesUnexpectedLocks() throws Exception {
        LockHandle handle = here.lock("/x").acquire();
        String held = "but it holds '/x' (EXCLUSIVE, HELD, token %s, by thread '%s')"
                .formatted(handle.fencingToken(), Thread.currentThread().getName());

        assertFails(() -> assertThat(here).holdsNothing()).withMessage("Expected %s to hold nothing, %s", here, held);
        assertFails(() -> assertThat(here).doesNotHold("/x"))
                .withMessage("Expected %s not to hold lock '/x', %s", here, held);
        assertFails(() -> assertThat(here).holdsOnly("/y")).withMessageEndingWith(held);
        assertFails(() -> assertThat(here).holdsOnly("/x", "/y")).withMessageEndingWith(held);
        assertFails(() -> assertThat(here).isCutOff()).withMessageContaining("to be cut off, but it is connected");
    }

    @Test
    void aSuspendedLockIsNeitherHeldNorAbsent() throws Exception {
        here.lock("/x").acquire();

        cluster.outage();

        assertThat(here).isCutOff();
        assertFails(() -> assertThat(here).holds("/x"))
                .withMessageContaining("but it holds '/x' (EXCLUSIVE, SUSPENDED")
                .withMessageContaining("; its queue is unknown: ");
        assertFails(() -> assertThat(here).holdsNothing());
    }

    @Test
    void waitersAreCounted() throws Exception {
        there.lock("/x").acquire();
        CompletableFuture<LockHandle> first = here.lock("/x").acquireAsync();
        CompletableFuture<LockHandle> second = here.lock("/x").acquireAsync();

        assertThat(here).hasWaiting("/x", 2).hasWaiting("/y", 0).holdsNothing();
        assertFails(() -> assertThat(here).hasWaiting("/x", 1))
                .withMessageStartingWith("Expected 1 of %s to wait for lock '/x', but 2 do: threads '", here)
                .withMessageContaining("of process-2 holds (EXCLUSIVE), ")
                .withMessageContaining("of process-1 waits (EXCLUSIVE)");
        first.cancel(false);
        second.cancel(false);
        await().untilAsserted(() -> assertThat(here).hasWaiting("/x", 0));
    }

    @Test
    void nullFailsEachAssertion() {
        assertFails(() -> assertThat((LockHandle) null).isNotHeld()).withMessageContaining("not to be null");
        assertFails(() -> assertThat((LockRegistry) null).holdsNothing()).withMessageContaining("not to be null");
    }

    @Test
    void failuresCanBeCollectedSoftly() throws Exception {
        LockHandle handle = here.lock("/x").acquire();
        SoftAssertions softly = new SoftAssertions();

        softly.proxy(LockHandleAssert.class, Handle.class, handle).isLost().isReleased();

        assertFails(softly::assertAll)
                .withMessageContaining("to be lost, but it is HELD")
                .withMessageContaining("to be released, but it is HELD");
    }

    private static ThrowableAssertAlternative<AssertionError> assertFails(ThrowingCallable failing) {
        return assertThatExceptionOfType(AssertionError.class).isThrownBy(failing);
    }
}
