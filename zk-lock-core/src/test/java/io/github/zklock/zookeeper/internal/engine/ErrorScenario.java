package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.QuickSettings;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A short life of one engine, in which one point fails: askers of all sorts, a reconnect, an operator who deletes all
 * nodes, and then time in which the engine has to come to rest. Runs inside {@link ErrorPoints}.
 */
final class ErrorScenario {

    static final String DONE = "no error";
    static final String GOOD = "good";

    private static final LockName LOCK = LockName.of("/swept");
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final long STEP = Duration.ofMillis(500).toNanos();

    private final Queue<Runnable> relief = new ArrayDeque<>();
    private final ManualTime time = new ManualTime(this::enter);
    private final IdealWire memory = new IdealWire(this::onLoop);
    private @Nullable EngineKeeper keeper;
    private @Nullable EngineAccess access;
    private final LockPolicy policy;
    private final List<Demand> demands;
    private final List<Asker> askers = new ArrayList<>();
    private final List<Wanted> futures = new ArrayList<>();
    /** Of a question that is asked while no session is connected. */
    private @Nullable CompletableFuture<?> answer;

    private WireSession.Liveness liveness = WireSession.Liveness.CONNECTED;
    private Runnable hint = () -> {};
    private final boolean together;
    private String wrong = "";

    private ErrorScenario(HandOff handOff, List<Demand> demands, boolean together) {
        this.together = together;
        this.policy = LockPolicy.defaults().handOff(handOff);
        this.demands = demands;
        AtomicLong ids = new AtomicLong();
        Notices notices = new Notices(relief::add, relief::add);
        SeatIds seatIds = new SeatIds(new UUID(0, 0), ids::incrementAndGet);
        // who gets an error from the builder builds again
        Runnable build = () -> {
            keeper = new EngineKeeper(
                    relief::add,
                    (run, successor) -> new Engine(
                            run, QuickSettings.SETTINGS, wire(run), time.of(run), notices, seatIds, successor),
                    error -> {
                        if (!ErrorPoint.hasFailed()) {
                            wrong("unplanned: " + error);
                        }
                    });
            access = new EngineAccess(
                    keeper,
                    new EngineRegistry.SamePolicy(policy),
                    null,
                    relief::add,
                    relief::add,
                    () -> false,
                    new DirectSteps(),
                    null);
        };
        if (!enter(build)) {
            enter(build);
        }
    }

    private void onLoop(Runnable task) {
        keeper.loop().execute(task);
    }

    /**
     * What became of it: {@link #GOOD}, {@link #DONE} if there are not so many points, or what is wrong.
     *
     * @param point the number of the point that fails
     * @param lasting whether everything fails from there on until the engine returns to its caller
     */
    static String run(String handOff, String demands, long point, boolean lasting) {
        ErrorPoint.plant(point, lasting);
        ErrorScenario scenario = new ErrorScenario(handOffOf(handOff), demandsOf(demands), demands.equals("together"));
        scenario.live();
        if (!ErrorPoint.hasFailed()) {
            return scenario.wrong.isEmpty() ? DONE : "without any error: " + scenario.wrong;
        }
        return scenario.wrong.isEmpty() ? GOOD : scenario.wrong;
    }

    private static HandOff handOffOf(String name) {
        HandOff bounded = HandOff.bounded(1, Duration.ofMillis(1));
        return switch (name) {
            case "strict" -> HandOff.strict();
            case "bounded" -> bounded;
            default -> bounded.lingering(Duration.ofSeconds(3));
        };
    }

    private static List<Demand> demandsOf(String name) {
        return switch (name) {
            case "exclusive", "together" -> List.of(Demand.EXCLUSIVE, Demand.EXCLUSIVE, Demand.EXCLUSIVE);
            case "readers" -> List.of(Demand.WRITE, Demand.READ, Demand.READ);
            default -> List.of(Demand.permits(1, 3), Demand.permits(2, 3), Demand.permits(3, 3));
        };
    }

    private void live() {
        if (!enter(() -> onLoop(keeper::start))) {
            enter(() -> onLoop(keeper::start));
        }
        for (Demand demand : demands) {
            ask(demand, Patience.forever(), Duration.ofSeconds(1));
        }
        want(demands.get(0));
        if (together) {
            wantTogether();
        }
        ask(demands.get(0), Patience.onlyAsking(LIMIT), Duration.ofSeconds(1));
        ask(demands.get(1), Patience.atMost(Duration.ofMillis(700), LIMIT), Duration.ofSeconds(1));
        Asker impatient = ask(demands.get(1), Patience.forever(), Duration.ofSeconds(1));
        pass(2);
        enter(() -> access.cancel(impatient.claim));
        impatient.gone = true;
        reconnect();
        pass(6);
        ask(demands.get(1), Patience.forever(), Duration.ofSeconds(1));
        pass(1);
        takeFromAll();
        pass(4);
        passUntil(this::isAnswered);
        assertAnswered();
        ErrorPoint.end();
        prove();
        assertRest();
    }

    private boolean isAnswered() {
        return keeper.engine().held().isEmpty()
                && askers.stream().allMatch(asker -> asker.isFinished() && !asker.claim.isOpen())
                && futures.stream().allMatch(Wanted::isFinished)
                && (answer == null || answer.isDone());
    }

    private void assertAnswered() {
        for (Asker asker : askers) {
            if (asker.claim.isOpen()) {
                wrong("an open claim");
            } else if (!asker.isFinished()) {
                wrong("an asker who was not told: " + asker);
            }
        }
        for (Wanted wanted : futures) {
            if (!wanted.isFinished()) {
                wrong("a future that is not completed");
            }
        }
        if (answer != null && !answer.isDone()) {
            wrong("a question that is not answered");
        }
        if (!keeper.engine().held().isEmpty()) {
            wrong("held by nobody: " + keeper.engine().held());
        }
    }

    /** The tick still runs, the proof is renewed, and the lock can be had. */
    private void prove() {
        Asker last = ask(demands.get(0), Patience.atMost(LIMIT, LIMIT), Duration.ofSeconds(110));
        passUntil(() -> last.handle != null);
        EngineHandle handle = last.handle;
        if (handle == null) {
            wrong("cannot be had any more: " + last);
            return;
        }
        // what was lost shortly before is asked for again within three times T at most
        pass(150);
        for (int i = 0; i < 45; i++) {
            pass(1);
            if (!handle.isHeld()) {
                wrong("not proven any more");
                return;
            }
        }
    }

    private void assertRest() {
        passUntil(() -> keeper.engine().isQuiet() && memory.isEmpty());
        if (!keeper.engine().isQuiet()) {
            wrong("not quiet");
        }
        if (!memory.isEmpty()) {
            wrong("nodes are left");
        }
    }

    private void wrong(String what) {
        if (wrong.isEmpty()) {
            wrong = what;
        }
    }

    private Asker ask(Demand demand, Patience patience, Duration hold) {
        Asker asker = new Asker(demand, patience, hold.toNanos());
        askers.add(asker);
        asker.claim.setPolicy(policy);
        if (!enter(() -> access.acquire(asker.claim, List.of()))) {
            asker.giveUp();
        }
        return asker;
    }

    private void want(Demand demand) {
        Wanted wanted = new Wanted(demand);
        futures.add(wanted);
        wanted.refused = !enter(() -> wanted.future = new Acquisition(access, LOCK, demand).async(Patience.forever()));
    }

    /** Several locks in one request. */
    private void wantTogether() {
        Wanted wanted = new Wanted(Demand.EXCLUSIVE);
        futures.add(wanted);
        List<Acquisition> locks = Stream.of("/x", "/y", "/z")
                .map(name -> new Acquisition(access, LockName.of(name), Demand.EXCLUSIVE))
                .toList();
        wanted.refused = !enter(() -> wanted.future = locks.get(0).asyncWith(locks.subList(1, 3), Patience.forever()));
    }

    /** An operator deletes all nodes. */
    private void takeFromAll() {
        enter(() -> onLoop(() -> {
            memory.clear();
            keeper.engine().held().forEach(held -> keeper.engine().tellEvicted(held.seatId()));
        }));
    }

    private void reconnect() {
        liveness = WireSession.Liveness.DISCONNECTED;
        enter(() -> onLoop(hint));
        enter(() ->
                answer = new SessionRequests(access).send((session, reply) -> session.read("/locks", reply::accept)));
        pass(1);
        liveness = WireSession.Liveness.CONNECTED;
        enter(() -> onLoop(hint));
    }

    /** Long enough for each repair: T is 20 s. */
    private void passUntil(BooleanSupplier condition) {
        for (int passed = 0; passed < 160 && !condition.getAsBoolean(); passed += 5) {
            pass(5);
        }
    }

    private void pass(int steps) {
        for (int i = 0; i < steps; i++) {
            time.advance(STEP);
            enter(keeper.loop()::check);
            enter(access::look);
            for (Runnable task = relief.poll(); task != null; task = relief.poll()) {
                enter(task);
            }
            askers.forEach(Asker::look);
            futures.forEach(Wanted::look);
        }
    }

    /** Whether the engine returned without an error. */
    private boolean enter(Runnable action) {
        try {
            ErrorPoint.enter(action);
            return true;
        } catch (LockLostException lost) {
            return true;
        } catch (Throwable error) {
            return false;
        } finally {
            ErrorPoint.returned();
        }
    }

    /** The memory's, but for its connection; answers and events go to this run of an engine. */
    private Wire wire(EngineRun run) {
        Class<?>[] types = {Wire.class, WireSession.class};
        IdentityHashMap<WireSession.Watch, WireSession.Watch> watches = new IdentityHashMap<>();
        return (Wire) Proxy.newProxyInstance(getClass().getClassLoader(), types, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "liveness" -> {
                    return liveness;
                }
                case "onHint" -> {
                    Runnable told = (Runnable) arguments[0];
                    hint = () -> run.execute(told);
                    return null;
                }
                case "pin" -> {
                    @SuppressWarnings("unchecked")
                    Consumer<Wire.Pin> answer = (Consumer<Wire.Pin>) arguments[0];
                    run.execute(() -> answer.accept(new Wire.Pin.Pinned((WireSession) proxy)));
                    return null;
                }
                default -> {
                    for (int i = 0; arguments != null && i < arguments.length; i++) {
                        if (arguments[i] instanceof WireSession.Watch watch) {
                            arguments[i] = watches.computeIfAbsent(
                                    watch, absent -> event -> run.execute(() -> watch.happened(event)));
                        } else if (arguments[i] instanceof WireSession.Reply<?> reply) {
                            arguments[i] = ofRun(run, reply);
                        }
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                }
            }
        });
    }

    private static <T> WireSession.Reply<T> ofRun(EngineRun run, WireSession.Reply<T> reply) {
        return (outcome, value) -> run.execute(() -> reply.answered(outcome, value));
    }

    /** What a thread does that asks for a lock: {@link Acquisition#interruptibly}, and then close. */
    private final class Asker implements Claim.Answer {

        private final Demand demand;
        private final long hold;
        private final Claim claim;
        private @Nullable Object answer;
        private @Nullable EngineHandle handle;
        private long until;
        private boolean gone;
        private boolean closed;

        Asker(Demand demand, Patience patience, long hold) {
            this.demand = demand;
            this.hold = hold;
            this.claim = new Claim(LOCK, demand, patience, null, time.nanoTime(), this);
        }

        @Override
        public void granted(Turn turn) {
            answer = turn;
        }

        @Override
        public void refused(Refusal refusal) {
            answer = refusal;
        }

        @Override
        public String asker() {
            return "asker";
        }

        @Override
        public boolean hasArrived() {
            return handle != null || answer instanceof Refusal;
        }

        void giveUp() {
            gone = true;
            claim.abandoned = true;
            enter(() -> access.cancel(claim));
        }

        void look() {
            if (gone || closed) {
                return;
            }
            if (answer instanceof Turn turn && handle == null) {
                if (!enter(() -> handle = EngineHandle.of(turn, null, access))) {
                    giveUp();
                }
                until = time.nanoTime() + hold;
            }
            if (handle != null && time.nanoTime() >= until) {
                // who gets an error from close while it is held tries again
                enter(() -> handle.close());
                closed = handle.state() != LockState.HELD && handle.state() != LockState.SUSPENDED;
            }
        }

        boolean isFinished() {
            return gone || closed || answer instanceof Refusal;
        }

        @Override
        public String toString() {
            return demand + " " + answer + " " + handle;
        }
    }

    private final class Wanted {

        private final Demand demand;
        private @Nullable CompletableFuture<?> future;
        private boolean refused;
        private boolean closed;

        Wanted(Demand demand) {
            this.demand = demand;
        }

        void look() {
            if (future != null && future.isDone() && !future.isCompletedExceptionally() && !closed) {
                closed = true;
                for (Object each : future.join() instanceof List<?> several ? several : List.of(future.join())) {
                    LockHandle handle = (LockHandle) each;
                    enter(handle::close);
                    closed &= handle.state() != LockState.HELD && handle.state() != LockState.SUSPENDED;
                }
            }
        }

        boolean isFinished() {
            return refused || closed || (future != null && future.isCompletedExceptionally());
        }

        @Override
        public String toString() {
            return demand + " " + future;
        }
    }
}
