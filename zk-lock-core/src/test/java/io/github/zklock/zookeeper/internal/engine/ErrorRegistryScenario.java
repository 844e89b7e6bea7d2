package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.session.SeatBudget;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The start and the close of a registry, in which one point of the caller's thread fails. Runs inside {@link ErrorPoints}. */
final class ErrorRegistryScenario {

    private ErrorRegistryScenario() {}

    /** What became of it, as {@link ErrorScenario#run} says. */
    static String run(long point) {
        ErrorPoint.plant(point, false);
        IdealWire memory = new IdealWire(Runnable::run);
        Settings settings = new Settings(
                "/locks",
                Duration.ofMillis(50),
                Duration.ofMillis(1),
                Duration.ofMillis(1),
                new OwnerDescription("error-registry", "host", 1),
                SeatBudget.DEFAULT_BYTES);
        EngineRegistry.Options options = new EngineRegistry.Options(
                new EngineRegistry.SamePolicy(LockPolicy.defaults()),
                null,
                List.of(),
                true,
                OnClose.RELEASE_HELD,
                false,
                DeadlockReaction.WARN,
                DeadlockReaction.WARN);

        AtomicReference<EngineRegistry> started = new AtomicReference<>();
        Runnable start = () -> started.set(new EngineRegistry(
                settings, options, (run, blocking) -> FailingWire.around(memory, run, (call, isRequest) -> null)));
        if (!enter(start)) {
            enter(start);
        }
        EngineRegistry registry = started.get();
        Runnable close = () -> registry.close(Duration.ZERO);
        if (!enter(close)) {
            enter(close);
        }
        registry.terminated()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        return ErrorPoint.hasFailed() ? ErrorScenario.GOOD : ErrorScenario.DONE;
    }

    /** Whether the registry returned without an error. */
    private static boolean enter(Runnable call) {
        try {
            ErrorPoint.enter(call);
            return true;
        } catch (StackOverflowError planted) {
            return false;
        }
    }
}
