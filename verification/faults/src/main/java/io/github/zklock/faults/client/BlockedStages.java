package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.OncePer;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Code of the application that blocks on the threads of the library, and timed calls meanwhile. */
final class BlockedStages {

    /** The outcome of a call that was granted. */
    private static final String GRANTED = "granted";

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final long UNTIL_BLOCKED_MILLIS = 3_000;
    private static final long BETWEEN_LOOKS_MILLIS = 20;

    private final ClientConfig config;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();

    BlockedStages(ClientConfig config) {
        this.config = config;
    }

    /**
     * Blocks a listener, and this many stages of futures: half of them follow a grant, half a release. Reports how many
     * have begun to block, as soon as all have or after a while: the library may have fewer threads for them.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the stages block
    void block(LockRegistry registry, int stages) throws InterruptedException {
        registry.addListener(event -> block());
        List<LockHandle> before = new ArrayList<>();
        for (int i = 0; i < stages; i++) {
            before.add(registry.lock("stage-" + i).acquire());
        }
        for (int i = 0; i < stages; i++) {
            if (i % 2 == 0) {
                // a request of another caller than the holder: granted when the holder has released the lock
                registry.lock("stage-" + i).acquireAsync().thenAccept(handle -> {
                    handle.close();
                    block();
                });
            } else {
                before.get(i).released().thenRun(this::block);
            }
        }
        before.forEach(LockHandle::close);
        long limit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(UNTIL_BLOCKED_MILLIS);
        while (blocked.get() <= stages && System.nanoTime() - limit < 0) {
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        }
        config.report(Kind.NOTED, "blocked", blocked);
    }

    /** Makes timed calls of each way, for locks and jobs that are free and for one that another process holds. */
    void call(LockRegistry registry, Duration limit, String held) {
        call(registry, limit, "free", way -> "free-" + way);
        call(registry, limit, "held", way -> held);
    }

    private void call(LockRegistry registry, Duration limit, String what, UnaryOperator<String> name) {
        OncePer window = OncePer.of(WINDOW);
        call(what, "acquire", way -> registry.lock(name.apply(way)).acquire(limit));
        call(
                what,
                "future",
                way -> registry.lock(name.apply(way)).acquireAsync(limit).get());
        call(what, "job", way -> registry.job(name.apply(way), window).begin(limit));
        call(
                what,
                "job-future",
                way -> registry.job(name.apply(way), window).beginAsync(limit).get());
    }

    /** Lets the blocked code go on. */
    void end() {
        end.countDown();
    }

    private void call(String what, String way, TimedCall call) {
        String name = what + "-" + way;
        new Thread(() -> report(name, () -> call.of(way)), name).start();
    }

    private void report(String name, Callable<LockHandle> call) {
        long at = System.nanoTime();
        @Nullable LockHandle handle = null;
        String outcome = GRANTED;
        try {
            handle = call.call();
        } catch (ExecutionException e) {
            outcome = String.valueOf(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome = e.toString();
        } catch (Exception e) {
            outcome = e.toString();
        }
        config.report(Kind.NOTED, "call nanos outcome", name, System.nanoTime() - at, outcome);
        if (handle != null) {
            handle.close();
        }
    }

    private void block() {
        blocked.incrementAndGet();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @FunctionalInterface
    private interface TimedCall {
        LockHandle of(String way) throws Exception;
    }
}
