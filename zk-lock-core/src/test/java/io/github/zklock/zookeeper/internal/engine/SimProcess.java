package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.OnClose;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Notifier;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One process of the cluster: an engine, its client, its clocks. It can be stopped for a while, and everything that
 * arrives meanwhile comes in one burst when it goes on.
 */
final class SimProcess implements SimHost {

    private static final long LOCAL_DELAY = 20_000;

    private final int id;
    private final SimWorld world;
    private final SimRandom random;
    private final LockPolicy policy;
    private final boolean ownsClient;
    private final OnClose onClose;
    private final long seatBudget;
    private final boolean noisy;
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>(0);
    private final SimClocks clocks;
    private final SimErrors errors;
    private final EngineKeeper keeper;

    /** All sessions that it ever had. */
    private final Set<Long> sessions = new HashSet<>(4);

    private SimWire wire;
    private SimClient client;
    private int replacements;
    private long frozenUntil;
    private boolean frozen;
    private boolean suspended;
    private boolean isolated;
    /** The folders in which a create was not answered. */
    private final Set<String> inDoubt = new HashSet<>();

    private boolean engineClosed;
    private boolean clientClosed;
    private boolean shutDown;
    private long seatAskedAt;

    /** While its clocks may have fooled it, what it believes of validity is not held against it. (M19) */
    private long clocksInDoubtUntil;

    /** For how long after it goes on. */
    private long doubtAfterResume;

    /** While the leader has not expired its probe, its session is not proven, however long that takes. (M34) */
    private long suspectUntil;

    /** While a foreign client is being closed, the engine cannot know it yet. (M24) */
    private boolean foreignCloseUnderWay;

    SimTroubles troubles = new SimTroubles();

    SimProcess(int id, SimWorld world, Settings settings, LockPolicy policy, SimPlan.Member member) {
        this.id = id;
        this.world = world;
        this.random = new SimRandom(world.random().next());
        this.policy = policy;
        this.ownsClient = member.ownsClient();
        this.noisy = member.noisy();
        this.seatBudget = settings.seatBudget();
        // nothing is drawn for it: a seed plans what it planned before
        this.onClose = noisy && id == 1 ? OnClose.RELEASE_HELD : OnClose.KEEP_HELD;
        this.clocks = new SimClocks(world.scheduler(), this::enter, member.drift());
        this.errors = world.errors();
        Notifier notifier = errors.outside(Notifier.class, new SimNotifier(world, id));
        SeatIds ids = new SeatIds(new UUID(random.next(), random.next()), random::next);
        this.keeper = new EngineKeeper(
                Runnable::run, (run, successor) -> engine(settings, run, notifier, ids, successor), this::failed);
        this.client = newClient();
    }

    int id() {
        return id;
    }

    /** The engine of now. */
    Engine engine() {
        return keeper.engine();
    }

    /** Only for what its loop runs. */
    EngineKeeper keeper() {
        return keeper;
    }

    SimErrors errors() {
        return errors;
    }

    /** How often its engine was replaced, after an error that was planted. */
    int replacements() {
        return replacements;
    }

    private Engine engine(Settings settings, EngineRun run, Notifier notifier, SeatIds ids, boolean successor) {
        wire = new SimWire(this, run);
        Time time = clocks.of(action -> run.execute(() -> errors.enter(this, action)));
        return new Engine(
                run,
                settings,
                errors.outside(Wire.class, wire),
                errors.outside(Time.class, time),
                notifier,
                ids,
                successor);
    }

    private void failed(Throwable error) {
        if (error instanceof StackOverflowError planted
                && String.valueOf(planted.getMessage()).startsWith("planted")) {
            replacements++;
            trace().note("REPLACED", id, "engine", "");
            tally().hit(SimStep.ENGINE_REPLACED);
            world.faults().disturbed();
        } else if (error instanceof LinkageError broken) {
            throw broken;
        } else {
            world.violated("ENGINE", "process " + id + " failed: " + error, error);
        }
    }

    /** Asks the engine for what the claim is for. */
    void ask(Claim claim, List<Claim> behind) {
        EngineKeeper.Request asking = keeper.asking(claim, behind);
        keeper.loop().execute(new EngineKeeper.Request() {
            @Override
            public void run() {
                errors.enter(SimProcess.this, asking);
            }

            @Override
            void failed(Throwable error) {
                asking.failed(error);
            }
        });
    }

    /** Has the engine do something, on its loop. */
    void onLoop(Consumer<EngineKeeper> action) {
        keeper.loop().execute(() -> errors.enter(this, () -> action.accept(keeper)));
    }

    /** As {@link EngineAccess#look}, each second. */
    private void look() {
        keeper.loop().execute(keeper::look);
        world.scheduler().after(Threads.LOOK_NANOS, () -> enter(this::look));
    }

    SimClient client() {
        return client;
    }

    SimTrace trace() {
        return world.trace();
    }

    SimTally tally() {
        return world.tally();
    }

    HandOff handOff() {
        return policy.handOff();
    }

    LockPolicy policy() {
        return policy;
    }

    String basePath() {
        return SimWorld.BASE_PATH;
    }

    boolean ownsClient() {
        return ownsClient;
    }

    /** So many bytes may the paths of its session's nodes have. */
    long seatBudget() {
        return seatBudget;
    }

    boolean isEngineClosed() {
        return engineClosed;
    }

    SimClocks clocks() {
        return clocks;
    }

    boolean mayBeFooled() {
        return foreignCloseUnderWay
                || doubtAfterResume > 0
                || world.now() < clocksInDoubtUntil
                || client().isLongUnawareOfShorterTimeout();
    }

    boolean belongsToAnotherSession(String path, long session) {
        SimTree.Entry entry = world.ensemble().truth().entry(path);
        return entry != null && entry.owner != session;
    }

    boolean hadSession(long session) {
        return sessions.contains(session);
    }

    int hints() {
        return wire.hints();
    }

    boolean isTellingFrontGone() {
        return wire.isTellingFrontGone();
    }

    void noteCreateInDoubt(String folder) {
        inDoubt.add(folder);
    }

    /** Whether it ever had to look for a seat of its own there, and to ask for it again if it was not there. */
    boolean hadCreateInDoubt(String folder) {
        return inDoubt.contains(folder);
    }

    void noteSeatAsked() {
        seatAskedAt = world.now();
    }

    long seatAskedAt() {
        return seatAskedAt;
    }

    /** The committed nodes of a folder whose names begin so, with their czxids. */
    Map<String, Long> nodesOf(String folder, List<String> stems) {
        return world.ensemble().truth().childrenLike(folder, stems);
    }

    /** Whether it runs, is connected, and can prove its session. */
    boolean isWell() {
        return !frozen
                && !isolated
                && !engineClosed
                && engine().session().connected()
                && !engine().session().remaining().isZero();
    }

    /** L2: who looked for a node of his own after its answer was lost has seen it, if it was committed before. */
    void checkNotThere(String path, Map<String, Long> overlooked) {
        violatedByEach(path, overlooked, "L2", "looked for its node %s and did not see it");
    }

    /** L24: a seat whose node was found has no other one created beside it, which nobody would have counted. */
    void checkNoneLeft(String path, Map<String, Long> found) {
        violatedByEach(path, found, "L24", "creates another node beside its %s");
    }

    /** By each of these nodes, with their czxids, that belongs to the seat and is still there. */
    private void violatedByEach(String path, Map<String, Long> nodes, String rule, String what) {
        nodes.forEach((node, czxid) -> {
            SimTree.Entry there = world.ensemble().truth().entry(node);
            if (node.startsWith(path) && there != null && there.czxid == czxid) {
                world.violated(rule, "process " + id + " " + what.formatted(node), null);
            }
        });
    }

    void start() {
        client.connect();
        enter(() -> onLoop(EngineKeeper::start));
        enter(this::look);
    }

    /** Runs this in the process a moment later. */
    void later(Runnable action) {
        world.scheduler().after(LOCAL_DELAY, () -> enter(action));
    }

    @Override
    public void enter(Runnable action) {
        if (frozen) {
            deferred.add(action);
        } else {
            run(action);
        }
    }

    @Override
    public void enterFirst(Runnable action) {
        if (frozen && random.chance(0.5)) {
            deferred.addFirst(action);
        } else {
            enter(action);
        }
    }

    /** Stops the process: its clocks go on. */
    void pause(long nanos) {
        frozen = true;
        doubtAfterResume = Math.max(doubtAfterResume, clocksInDoubtUntil - world.now());
        frozenUntil = Math.max(frozenUntil, world.now() + nanos);
        world.scheduler().at(frozenUntil, this::resumeIfDue);
    }

    /** Ends a pause, unless the whole machine is suspended. */
    void wake() {
        if (!suspended) {
            frozenUntil = world.now();
            resumeIfDue();
        }
    }

    boolean isSuspended() {
        return suspended;
    }

    /** Stops the machine, and with it the clocks that do not go on. */
    void suspend(long nanos, boolean monotonicStops, boolean wallStops) {
        if (!frozen) {
            suspended = true;
            world.scheduler().at(world.now() + nanos, () -> {
                suspended = false;
                clocks.stood(nanos, monotonicStops, wallStops);
                if (monotonicStops) {
                    doubtAfterResume = Math.max(doubtAfterResume, clocksMayFoolFor(wallStops));
                }
                if (monotonicStops && wallStops) {
                    doubtUntilTouched(world.now(), clocksMayFoolFor(true));
                }
            });
            pause(nanos);
        }
    }

    /**
     * Until a touch reaches the leader, the bucket of its session may be polled, and be closed at any time after that: the
     * proof runs out later. (M34)
     */
    private void doubtUntilTouched(long resumedAt, long doubt) {
        SimReign reign = world.ensemble().reign();
        if (reign.isUntouchedSince(client.session(), resumedAt)) {
            if (reign.hasPolled(client.session())) {
                clocksInDoubtUntil = Math.max(clocksInDoubtUntil, world.now() + doubt);
            }
            // oftener than the proof has margin
            world.scheduler().after(world.ensemble().tick() / 8, () -> doubtUntilTouched(resumedAt, doubt));
        }
    }

    /** What docs/internals/session-proof.md allows after a suspension: nothing within the margin. (M19, M28, M32) */
    private long clocksMayFoolFor(boolean wallStopped) {
        long timeout = client.timeout();
        if (clocks.stoppedSince(world.now() - timeout) <= timeout / SimPlan.UNNOTICED) {
            return 0;
        }
        return wallStopped ? timeout + timeout / SimPlan.DRIFT : timeout / 8 + timeout / 8 / SimPlan.DRIFT + 1;
    }

    /** Creates a node on a session of its own, which is abandoned then. */
    void probe(String path, long timeout, Reply<Long> answer) {
        trace().note("PROBE", id, "asked", path);
        suspectUntil = Long.MAX_VALUE;
        new SimProbe(this, world, timeout).create(path, (outcome, granted) -> {
            trace().note(outcome.name(), id, "PROBE", path);
            suspectWhilePresent(path);
            answer.answered(outcome, granted);
        });
    }

    private void suspectWhilePresent(String probe) {
        // the engine checks its probe, or requests another one, within this time
        suspectUntil = world.now() + world.ensemble().timeout() / 4 + world.promptly();
        if (world.ensemble().truth().entry(probe) != null) {
            world.scheduler().after(world.ensemble().tick() / 4, () -> suspectWhilePresent(probe));
        }
    }

    /** Whether its session may still need the expiry of a probe. */
    boolean maySessionBeSuspect() {
        return world.now() < suspectUntil;
    }

    void isolate(boolean isolatedNow) {
        isolated = isolatedNow;
        client.setIsolated(isolatedNow);
    }

    /** The client is closed and built anew, by its owner or somebody else. */
    void resetClient() {
        foreignCloseUnderWay = !ownsClient;
        client.close(ownsClient);
    }

    /** Closes the engine, as a registry does: nobody waits for holders, and the client goes after the last of them. */
    void closeEngine() {
        if (!engineClosed) {
            engineClosed = true;
            if (engine().held().stream().anyMatch(held -> held.state() == LockState.HELD)) {
                tally().hit(SimStep.CLOSED_WHILE_HELD);
            }
            onLoop(kept -> kept.end(asked -> asked.close(onClose, () -> {}, () -> {}, this::shutDown)));
        }
    }

    /** Whether it has taken from its holders what they held. */
    boolean hasTakenBack() {
        return engineClosed && onClose == OnClose.RELEASE_HELD;
    }

    void shutDown() {
        if (!shutDown) {
            shutDown = true;
            onLoop(kept -> kept.end(Engine::shutDown));
        }
    }

    void closeClient() {
        clientClosed = true;
        client.close(true);
    }

    @Override
    public long nanoTime() {
        return clocks.nanoTime();
    }

    @Override
    public long wallNanos() {
        return clocks.wallNanos();
    }

    @Override
    public boolean sharesClient() {
        return !ownsClient;
    }

    @Override
    public boolean isIsolated() {
        return isolated;
    }

    @Override
    public void changed(SimClient changed) {
        if (changed != client) {
            return;
        }
        trace().note(client.liveness().name(), id, "session", client.session());
        sessions.add(client.session());
        if (client.liveness() == Liveness.ENDED) {
            foreignCloseUnderWay = false;
            if (!clientClosed) {
                // whoever owns the client notices, and builds the next one
                world.scheduler()
                        .after(
                                random.between(LOCAL_DELAY, world.ensemble().tick()),
                                () -> enter(() -> {
                                    if (client == changed && !clientClosed) {
                                        client = newClient();
                                        client.connect();
                                    }
                                }));
            }
        }
        // the client's listener counts each change, also where nobody looks then
        world.faults()
                .hintDelay(random)
                .ifPresentOrElse(
                        delay -> world.scheduler().after(delay, () -> enter(() -> wire.hint())),
                        () -> wire.countChange());
    }

    @Override
    public SimTrouble sending(SimClient by, SimRequest request) {
        return by == client ? troubles.next(request, by.connection() != null) : SimTrouble.NONE;
    }

    private SimClient newClient() {
        return new SimClient(this, world.ensemble(), world.scheduler(), random, world.delays(), noisy);
    }

    private void resumeIfDue() {
        if (frozen && world.now() >= frozenUntil) {
            frozen = false;
            clocksInDoubtUntil = Math.max(clocksInDoubtUntil, world.now() + doubtAfterResume);
            doubtAfterResume = 0;
            trace().note("RESUMED", id, deferred.size(), "");
            while (!deferred.isEmpty() && !frozen) {
                run(deferred.poll());
            }
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (LinkageError broken) {
            throw broken;
        } catch (RuntimeException | Error failure) {
            world.violated("ENGINE", "process " + id + " failed: " + failure, failure);
        }
        world.checks().afterStep(this);
    }
}
