package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.HandOff;
import io.github.zklock.Handle;
import io.github.zklock.Leadership;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import io.github.zklock.OncePer;
import io.github.zklock.Registration;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockWatch;
import io.github.zklock.zookeeper.internal.job.Job;
import io.github.zklock.zookeeper.internal.job.RunRecords;
import io.github.zklock.zookeeper.internal.joint.AllOf;
import io.github.zklock.zookeeper.internal.leader.Candidate;
import io.github.zklock.zookeeper.internal.order.NestedOrder;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.StackProbe;
import io.github.zklock.zookeeper.internal.runtime.SystemTime;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.AccessLists;
import io.github.zklock.zookeeper.internal.transport.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A running registry: an engine on its wire, its threads, and the locks for callers. */
public final class EngineRegistry implements LockRegistry {

    private static final Logger LOG = EngineLog.of(EngineRegistry.class);

    private final EngineAccess engine;
    private final Notices notices;
    private final Inspection inspector;
    private final Shutdown shutdown;
    private final Job.Shared jobs;

    /** The factory of the wire of an engine. */
    @FunctionalInterface
    public interface WireMaker {
        /**
         * Creates a wire.
         *
         * @param run runs the calls of the wire to the engine
         * @param blocking runs what may block
         */
        Wire make(EngineRun run, Executor blocking);
    }

    /** The policy of all locks, which calls no code of users. */
    public record SamePolicy(LockPolicy policy) implements Function<LockName, LockPolicy> {
        @Override
        public LockPolicy apply(LockName name) {
            return policy;
        }
    }

    /**
     * The options of a registry beside the settings of its engine.
     *
     * @param policies code of users, which runs on their threads, or {@link SamePolicy}
     * @param accessLists code of users, which runs on their threads; null if there is none
     * @param listeners receive every event from the first one on
     * @param closesWire whether the close of the registry ends the wire's session
     * @param onClose what the close does with locks that are held
     * @param closeOnExit whether the registry closes itself when the JVM ends
     */
    public record Options(
            Function<? super LockName, LockPolicy> policies,
            @Nullable AccessLists accessLists,
            List<LockListener> listeners,
            boolean closesWire,
            OnClose onClose,
            boolean closeOnExit,
            DeadlockReaction order,
            DeadlockReaction onDeadlock) {}

    /** Creates and starts a registry. */
    public EngineRegistry(Settings settings, Options options, WireMaker wires) {
        Threads threads = new Threads(settings.owner().instance());
        this.notices = new Notices(threads.losses(), threads.callbacks());
        options.listeners().forEach(notices::add);
        SeatIds ids = SeatIds.random();
        EngineKeeper keeper = new EngineKeeper(
                threads.relief(),
                (run, successor) -> new Engine(
                        run,
                        settings,
                        wires.make(run, threads.client()),
                        new SystemTime(threads.timer(), run),
                        notices,
                        ids,
                        successor),
                EngineRegistry::report);
        this.engine = new EngineAccess(
                keeper,
                options.policies(),
                options.accessLists(),
                threads.losses(),
                threads.callbacks(),
                threads::hasNoCallbackThread,
                threads.steps(),
                options.order() == DeadlockReaction.IGNORE
                        ? null
                        : new NestedOrder(options.order() == DeadlockReaction.FAIL));
        this.inspector = new Inspection(engine);
        SessionQuestions questions = new SessionRequests(engine)::send;
        if (options.onDeadlock() != DeadlockReaction.IGNORE) {
            engine.setDeadlocks(watch(settings, options.onDeadlock(), questions, ids, threads));
        }
        this.jobs = new Job.Shared(
                new RunRecords(
                        questions,
                        settings.basePath(),
                        settings.owner().instance(),
                        step -> engine.steps().after(RunRecords.PAUSE.toNanos(), step)),
                settings.connectionTimeout(),
                engine.steps(),
                engine.callbacks(),
                engine::nanoTime,
                engine::isOwn);
        this.shutdown = new Shutdown(engine, threads, options.closesWire(), options.onClose());
        boolean started = false;
        try {
            keeper.loop().execute(keeper::start);
            threads.watch(keeper.loop()::check, engine::look, engine::nanoTime);
            if (options.closeOnExit()) {
                shutdown.runOnExit();
            }
            started = true;
        } finally {
            if (!started) {
                // the caller has no registry that it could close
                engine.shutDown(threads::shutDown);
            }
        }
    }

    private DeadlockWatch watch(
            Settings settings, DeadlockReaction onDeadlock, SessionQuestions questions, SeatIds ids, Threads threads) {
        return new DeadlockWatch(
                questions,
                settings.basePath(),
                ids.registry(),
                settings.owner().instance(),
                settings.connectionTimeout(),
                new DeadlockWatch.Rounds(threads::searchAfter, engine::nanoTime, engine::wallMillis),
                onDeadlock,
                new DeadlockWatch.Reaction(notices::tell, engine::reject));
    }

    private static void report(Throwable error) {
        LOG.error(
                "The lock engine failed and is replaced: each lock that this registry holds is lost, and each request"
                        + " that waits fails. Either this JVM is out of memory, or this is a bug of zk-lock",
                error);
    }

    @Override
    public ClusterLock lock(String name) {
        return new EngineLock(LockName.of(name), Demand.EXCLUSIVE, engine);
    }

    @Override
    public Leadership leadership(String name) {
        // a leader holds its lock for as long as it can, and a process that steps down must not keep a seat
        return new Candidate(new EngineLock(
                LockName.of(name),
                Demand.EXCLUSIVE,
                engine,
                policy -> policy.holdWarning(null).handOff(HandOff.strict())));
    }

    @Override
    public ClusterJob job(String name, OncePer window) {
        LockName job = LockName.of(name);
        // a job asks for its record before it requests its lock
        engine.learnAccessLists(job, null);
        return new Job(job, new EngineLock(job, Demand.EXCLUSIVE, engine)::prepare, window, jobs);
    }

    @Override
    public ClusterReadWriteLock readWriteLock(String name) {
        return new EngineReadWriteLock(LockName.of(name), engine);
    }

    @Override
    public Acquirable<Handle> allOf(ClusterLock... locks) {
        return AllOf.of(locks);
    }

    @Override
    public ClusterSemaphore semaphore(String name, int permits) {
        return new EngineSemaphore(LockName.of(name), permits, engine, inspector);
    }

    @Override
    public LockInspector inspector() {
        return inspector;
    }

    @Override
    public Registration addListener(LockListener listener) {
        return notices.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Waits up to {@code drain} until no lock is held, and ends the registry, unless held locks are kept. Idempotent. */
    public void close(Duration drain) {
        if (drain.isNegative()) {
            throw new IllegalArgumentException(
                    "The drain time " + Words.of(drain) + " is negative; use zero not to wait for holders");
        }
        if (!StackProbe.hasRoom()) {
            // a lock of the JDK that is taken at the end of a stack may stay locked
            throw new StackOverflowError("The stack has no room to close the registry; close it again");
        }
        engine.endDeadlocks();
        shutdown.run(drain);
    }

    /** Returns a stage that completes when the registry is closed and none of its locks is held any more. */
    public CompletionStage<Void> terminated() {
        return shutdown.terminated();
    }
}
