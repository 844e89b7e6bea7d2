package io.github.zklock.faults.client;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.cluster.DaemonThreads;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls near the end of a thread's stack, with less and less room. A handle that such a call returns is closed far from
 * the end of the stack, so that in the end no lock is held.
 */
final class StackSweep {

    private static final int STACK_BYTES = 256 * 1024;
    /** Frames of {@link #descend} that a call leaves free: from no room at all to enough. */
    private static final int FRAMES = 600;

    private static final int STEP = 2;
    private static final int WARM_UPS = 200;
    private static final Duration WAIT = Duration.ofMillis(300);
    private static final Duration UNANSWERED = Duration.ofSeconds(8);
    /** A broken library does not answer: the sweep ends after this many timeouts. */
    private static final int MOST_TIMEOUTS = 12;

    private enum Operation {
        ACQUIRE,
        TRY_ACQUIRE,
        CLOSE
    }

    private final ClientConfig config;
    private final LockRegistry registry;
    private final int locks;

    private volatile int calls;

    private int overflows;
    private int timeouts;
    private int others;
    private String other = "";

    private @Nullable LockHandle handle;
    private int reached;

    private StackSweep(ClientConfig config, LockRegistry registry, int locks) {
        this.config = config;
        this.registry = registry;
        this.locks = locks;
    }

    /** Starts the sweep in a thread of its own, which reports its end. */
    static void start(ClientConfig config, LockRegistry registry, int locks) {
        StackSweep sweep = new StackSweep(config, registry, locks);
        Thread caller = new Thread(null, sweep::run, "stack-sweep", STACK_BYTES);
        caller.start();
        DaemonThreads.start("stack-sweep-watch", () -> sweep.watch(caller));
    }

    private void run() {
        try {
            for (int i = 0; i < WARM_UPS; i++) {
                call(Operation.values()[i % 3], i % locks, 1);
            }
            for (int frames = 0; frames < FRAMES && timeouts < MOST_TIMEOUTS; frames += STEP) {
                for (Operation operation : Operation.values()) {
                    call(operation, calls % locks, Math.max(1, deepest() - frames));
                }
            }
            config.report(event(Kind.NOTED));
        } catch (InterruptedException | RuntimeException | Error e) {
            config.report(event(Kind.FAILED).with("message", e));
        }
    }

    /** Each call must be answered, whatever its answer is. */
    private void watch(Thread caller) {
        int last = calls;
        long since = System.nanoTime();
        while (caller.isAlive()) {
            LockSupport.parkNanos(this, WAIT.toNanos());
            if (calls != last) {
                last = calls;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > UNANSWERED.toNanos()) {
                String message = "K9: a call that waits for " + WAIT + " was not answered within " + UNANSWERED;
                config.report(event(Kind.FAILED).with("message", message));
                return;
            }
        }
    }

    // one thread writes, the other one only reads
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void call(Operation operation, int lock, int depth) throws InterruptedException {
        calls++;
        ClusterLock named = registry.lock("deep-" + lock);
        try {
            descend(depth, bottom(operation, named));
        } catch (StackOverflowError expected) {
            overflows++;
        } catch (LockException e) {
            timeouts++;
        } catch (Error e) {
            // such as the errors of a class whose initialization met the end of the stack
            others++;
            other = e.toString();
        } finally {
            LockHandle held = handle;
            handle = null;
            if (held != null) {
                held.close();
            }
        }
    }

    /** Assigns a handle to a field at once: a call, which may overflow, could lose it. */
    private Bottom bottom(Operation operation, ClusterLock lock) throws InterruptedException {
        return switch (operation) {
            case ACQUIRE -> () -> handle = lock.acquire(WAIT);
            case TRY_ACQUIRE -> () -> handle = lock.tryAcquire().orElse(null);
            case CLOSE -> {
                LockHandle held = lock.acquire(WAIT);
                handle = held;
                yield held::close;
            }
        };
    }

    /** Returns how many frames this thread can still use. */
    private int deepest() throws InterruptedException {
        reached = 0;
        try {
            descend(Integer.MAX_VALUE, () -> {});
        } catch (StackOverflowError end) {
            return reached;
        }
        throw new IllegalStateException("The stack has no end");
    }

    private void descend(int frames, Bottom bottom) throws InterruptedException {
        reached++;
        if (frames <= 1) {
            bottom.run();
        } else {
            descend(frames - 1, bottom);
        }
    }

    private Event event(Kind kind) {
        String keys = "calls overflows timeouts others other";
        return Event.of(config.instance(), System.nanoTime(), kind, keys, calls, overflows, timeouts, others, other);
    }

    @FunctionalInterface
    private interface Bottom {
        void run() throws InterruptedException;
    }
}
