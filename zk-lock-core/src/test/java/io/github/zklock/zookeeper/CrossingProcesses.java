package io.github.zklock.zookeeper;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.LockContext;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Operator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Registries on one server whose threads hold one lock and request another one. After the test, no wait is published. */
final class CrossingProcesses implements AfterEachCallback {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final RealServer real = new RealServer();
    private final List<LockEvent.Deadlocked> told = new CopyOnWriteArrayList<>();

    String connectString() {
        return real.itself().connectString();
    }

    ZooKeeperLockRegistry start(String instance, DeadlockReaction reaction) {
        return ZooKeeperLockRegistry.builder()
                .connectString(connectString())
                .instance(instance)
                .onDeadlock(reaction)
                .listener(event -> {
                    if (event instanceof LockEvent.Deadlocked deadlock) {
                        told.add(deadlock);
                    }
                })
                .closeOnExit(false)
                .build();
    }

    /** Returns the deadlocks that the processes were told of. */
    List<LockEvent.Deadlocked> told() {
        return told;
    }

    /** Holds one lock and requests another one. */
    static String nested(ZooKeeperLockRegistry process, String outer, String inner, CompletableFuture<Void> go)
            throws Exception {
        try (LockHandle held = process.lock(outer).acquire(LONG);
                LockContext.Scope scope = LockContext.open(held)) {
            go.join();
            try (LockHandle both = process.lock(inner).acquire(LONG)) {
                return inner;
            }
        }
    }

    static CompletableFuture<Void> whenBothHold(ZooKeeperLockRegistry one, ZooKeeperLockRegistry other) {
        return CompletableFuture.runAsync(() -> Awaitility.await()
                .until(() -> one.inspector().held().size() == 1
                        && other.inspector().held().size() == 1));
    }

    /** Completes when this many requests of the process wait, after the first future. */
    static CompletableFuture<Void> whenWaiting(
            CompletableFuture<Void> first, ZooKeeperLockRegistry process, int count) {
        return first.thenRunAsync(() ->
                Awaitility.await().until(() -> process.inspector().awaited().size() == count));
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        try (Operator operator = new Operator(connectString())) {
            Awaitility.await().until(() -> operator.children("/locks/.waits").isEmpty());
        } finally {
            real.afterEach(context);
        }
    }
}
