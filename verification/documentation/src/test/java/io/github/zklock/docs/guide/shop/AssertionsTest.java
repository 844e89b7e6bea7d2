package io.github.zklock.docs.guide.shop;

import static io.github.zklock.test.LockAssertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.test.InMemoryLockRegistry;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What {@code docs/testing.md} shows of the assertions. */
class AssertionsTest {

    @Test
    void theAssertionsHoldOfLocksInMemory() throws Exception {
        try (InMemoryLockRegistry registry = new InMemoryLockRegistry()) {
            LockHandle earlier = registry.lock("/x").acquire();
            earlier.close();
            LockHandle later = registry.lock("/x").acquire();
            LockHandle handle = later;
            CompletableFuture<LockHandle> second = registry.lock("/x").acquireAsync();
            CompletableFuture<LockHandle> third = registry.lock("/x").acquireAsync();
            Awaitility.await().untilAsserted(() -> assertThat(registry).hasWaiting("/x", 2));

            // snippet:assertions
            assertThat(handle).isHeld(); // isNotHeld, isSuspended, isLost, isReleased, hasName
            assertThat(later).isNewerThan(earlier); // hasToken, hasTokenOf, hasTokenAbove
            assertThat(registry).holds("/x").hasWaiting("/x", 2);
            assertThat(registry).holdsOnly("/x"); // doesNotHold, holdsNothing, isConnected, isCutOff
            // end:assertions

            second.cancel(true);
            third.cancel(true);
            handle.close();
        }
    }
}
