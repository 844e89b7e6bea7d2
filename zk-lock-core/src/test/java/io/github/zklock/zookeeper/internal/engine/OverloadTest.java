package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** L33: a process that asks for more than it can keep is refused, and keeps what it holds. */
class OverloadTest {

    @Test
    void requestBeyondTheLimitIsRefusedAndTheOthersAreServed() {
        MemoryEngine engine = new MemoryEngine(LockPolicy.defaults().handOff());
        ClusterLock lock = engine.lock("/crowded");
        List<CompletableFuture<LockHandle>> asked = new ArrayList<>();
        CompletableFuture<LockHandle> latest = lock.acquireAsync();
        LockHandle held = latest.join();
        while (!latest.isCompletedExceptionally()) {
            latest = lock.acquireAsync();
            asked.add(latest);
        }
        asked.remove(asked.size() - 1);

        // the first one may still count, although it was granted
        assertThat(asked).hasSizeBetween(EngineKeeper.MOST_CLAIMS - 1, EngineKeeper.MOST_CLAIMS);
        assertThatThrownBy(latest::join)
                .cause()
                .isInstanceOf(LockUnavailableException.class)
                .hasMessage(
                        "Lock '/crowded' not acquired: 131072 requests for locks of this registry are not answered yet,"
                                + " and it takes no more; limit the number of callers or of asynchronous requests");
        assertThat(held.isHeld()).isTrue();
        assertThat(asked).noneMatch(CompletableFuture::isDone);

        held.close();
        for (CompletableFuture<LockHandle> each : asked) {
            each.join().close();
        }
    }
}
