package io.github.zklock.aop;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.config.TestApplication;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Annotated beans in a {@link TestApplication}. */
abstract class AopTest {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Returns the names of the locks of the running call, outermost first. */
    static List<String> heldNow() {
        return LockContext.current().stream()
                .map(handle -> handle.name().value())
                .toList();
    }

    /** Makes the running call lose its innermost lock, and returns when the handle has detected the loss. */
    static void lose() {
        List<LockHandle> held = LockContext.current();
        lose(held.get(held.size() - 1));
    }

    static void lose(LockHandle handle) {
        handle.loseAfter(Duration.ofNanos(1));
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> handle.state() == LockState.LOST);
    }
}
