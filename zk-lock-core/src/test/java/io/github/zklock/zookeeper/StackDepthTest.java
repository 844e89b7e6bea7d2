package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.Acquirable;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * L26: callers whose stack ends at each depth of a call. What they asked for is acquired or fails; afterwards each lock can be
 * acquired by another registry, and the registry closes without leftovers.
 */
class StackDepthTest {

    private static final long STACK_BYTES = 256 * 1024;
    private static final Duration WAIT = Duration.ofMillis(300);
    private static final int LOCKS = 5;
    /** Frames of {@link Descent#descend} from one attempt to the next. */
    private static final int STRIDE = Integer.getInteger("stack.depth.stride", 7);

    private static final int DEEPEST = 2_000;
    private static final int DEEPEST_CLOSE = 400;
    private static final int CLOSE_STRIDE = 5;
    private static final int DEEPEST_REGISTRY_CLOSE = 200;
    private static final int REGISTRY_CLOSE_STRIDE = 10;
    private static final long PATIENCE_SECONDS = 120;

    @RegisterExtension
    private final RealServer server = new RealServer();

    @Test
    void eachCallIsAnsweredAndEachLockIsFreeAfterwards() throws Exception {
        ZooKeeperLockRegistry registry = server.registry();
        ZooKeeperLockRegistry other = server.registry();
        for (Way way : Way.OF_ASKING) {
            // an error in the initialization of a class is for ever
            assertThat(new Caller(registry.lock(nameOf(0)), way, 0).call()).isFalse();
        }

        int overflows = 0;
        int attempts = 0;
        for (Way way : Way.OF_ASKING) {
            for (int left = DEEPEST; left >= 0; left -= STRIDE) {
                overflows += new Caller(registry.lock(nameOf(attempts % LOCKS)), way, left).call() ? 1 : 0;
                attempts++;
            }
        }

        assertThat(overflows).isGreaterThan(20);
        for (int lock = 0; lock < LOCKS; lock++) {
            try (LockHandle handle = other.lock(nameOf(lock)).acquire(Duration.ofSeconds(PATIENCE_SECONDS))) {
                assertThat(handle.isHeld()).isTrue();
            }
            try (LockHandle handle = registry.lock(nameOf(lock)).acquire(Duration.ofSeconds(PATIENCE_SECONDS))) {
                assertThat(handle.isHeld()).isTrue();
            }
        }
        RealServer.awaitUntil(() -> registry.inspector().held().isEmpty());
    }

    @Test
    void severalLocksAreReleasedWhereverTheStackEndsInTheirClose() throws Exception {
        ZooKeeperLockRegistry registry = server.registry();
        assertThat(new Caller(registry.allOf("/deep/a", "/deep/b"), Way.CLOSE, 0).call())
                .isFalse();

        int overflows = 0;
        for (int left = DEEPEST_CLOSE; left >= 0; left -= CLOSE_STRIDE) {
            // others than before: those are released in the background
            Acquirable<Handle> together = registry.allOf("/deep/a" + left, "/deep/b" + left, "/deep/c" + left);
            overflows += new Caller(together, Way.CLOSE, left).call() ? 1 : 0;
        }

        assertThat(overflows).isGreaterThan(20);
        RealServer.awaitUntil(() -> registry.inspector().held().isEmpty());
    }

    @Test
    void aRegistryCanBeClosedAgainWhereverTheStackEndsInItsClose() throws Exception {
        int overflows = 0;
        for (int left = DEEPEST_REGISTRY_CLOSE; left > 0; left -= REGISTRY_CLOSE_STRIDE) {
            ZooKeeperLockRegistry registry = server.registry();
            registry.lock(nameOf(0))
                    .acquire(Duration.ofSeconds(PATIENCE_SECONDS))
                    .close();

            overflows += atDepth(left, registry::close) ? 1 : 0;
            registry.close();

            assertThat(registry.terminated().toCompletableFuture())
                    .as("the close of a registry after one that ended %s frames before the end of a stack", left)
                    .succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
        }
        assertThat(overflows).isGreaterThan(5);
    }

    @Test
    void aClosedRegistryAnswersWhereverTheStackEnds() throws Exception {
        ZooKeeperLockRegistry registry = server.registry();
        Runnable call = () -> assertThatThrownBy(() -> registry.lock(nameOf(0)).acquire())
                .isInstanceOfAny(LockRegistryClosedException.class, StackOverflowError.class);
        registry.close();
        RealServer.awaitUntil(() -> registry.terminated().toCompletableFuture().isDone());

        for (int left = DEEPEST_REGISTRY_CLOSE; left > 0; left -= REGISTRY_CLOSE_STRIDE) {
            atDepth(left, call);
        }

        call.run();
    }

    /** Runs the action so many frames before the end of the stack of a thread. Returns whether the stack has overflown. */
    private static boolean atDepth(int left, Runnable action) throws Exception {
        CompletableFuture<Boolean> overflown = new CompletableFuture<>();
        Thread thread = new Thread(
                null,
                () -> {
                    int deepest = new Descent().measure();
                    try {
                        new Descent().descend(0, Math.max(0, deepest - left), action);
                        overflown.complete(false);
                    } catch (StackOverflowError overflow) {
                        overflown.complete(true);
                    }
                },
                "caller",
                STACK_BYTES);
        thread.start();
        return overflown.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static String nameOf(int lock) {
        return "/deep/" + lock;
    }

    private static final class Descent {

        private int reached;

        /** At how many frames the stack ends. */
        int measure() {
            try {
                descend(0, Integer.MAX_VALUE, () -> {});
            } catch (StackOverflowError expected) {
                return reached;
            }
            throw new IllegalStateException("a stack without an end");
        }

        void descend(int depth, int until, Runnable step) {
            reached = depth;
            if (depth == until) {
                step.run();
            } else {
                descend(depth + 1, until, step);
            }
        }
    }

    private enum Way {
        ACQUIRE,
        TRY_FOR_A_WHILE,
        TRY_AT_ONCE,
        ASYNC,
        /** Acquires on an empty stack. */
        CLOSE;

        static final List<Way> OF_ASKING = List.of(ACQUIRE, TRY_FOR_A_WHILE, TRY_AT_ONCE, ASYNC);
    }

    /** A thread of its own that asks and closes so many frames before the end of its stack. */
    private static final class Caller {

        private final Acquirable<? extends Handle> lock;
        private final Way way;
        private final int left;
        private final List<Handle> acquired = new ArrayList<>(1);
        private @Nullable CompletableFuture<? extends Handle> future;
        private boolean overflown;

        /** @param left frames between the call and the end of the stack; 0 for a call on an empty stack */
        Caller(Acquirable<? extends Handle> lock, Way way, int left) {
            this.lock = lock;
            this.way = way;
            this.left = left;
        }

        /** Whether the stack has overflown. */
        boolean call() throws Exception {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            Thread thread = new Thread(
                    null,
                    () -> {
                        try {
                            run();
                            done.complete(overflown);
                        } catch (Throwable error) {
                            done.completeExceptionally(error);
                        }
                    },
                    "caller",
                    STACK_BYTES);
            thread.start();
            return done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        private void run() throws Exception {
            int deepest = left == 0 ? 0 : new Descent().measure();
            boolean closesOnly = way == Way.CLOSE;
            if (closesOnly) {
                ask();
            }
            List<Runnable> steps = closesOnly ? List.of(this::close) : List.of(this::ask, this::close);
            for (Runnable step : steps) {
                try {
                    new Descent().descend(0, Math.max(0, deepest - left), step);
                } catch (StackOverflowError overflow) {
                    overflown = true;
                }
            }
            // as a caller does who handles the error further up
            if (future != null) {
                try {
                    acquired.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
                } catch (java.util.concurrent.ExecutionException failed) {
                    future = null;
                }
            }
            close();
        }

        private void ask() {
            try {
                switch (way) {
                    case ACQUIRE, CLOSE -> acquired.add(lock.acquire(Duration.ofSeconds(PATIENCE_SECONDS)));
                    case TRY_FOR_A_WHILE -> lock.tryAcquire(WAIT).ifPresent(acquired::add);
                    case TRY_AT_ONCE -> lock.tryAcquire().ifPresent(acquired::add);
                    case ASYNC -> future = lock.acquireAsync();
                }
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            } catch (LockUnavailableException answer) {
                // at the end of a stack another thread has to do the work, perhaps when the wait is over
                acquired.clear();
            }
        }

        private void close() {
            Optional<Handle> handle = acquired.stream().findFirst();
            handle.ifPresent(Handle::close);
        }
    }
}
