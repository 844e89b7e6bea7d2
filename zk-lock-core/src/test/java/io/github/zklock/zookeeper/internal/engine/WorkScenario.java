package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.queue.SeatName;
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
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A course of events in one process with many requests. Runs inside {@link CountedEngine}. */
final class WorkScenario {

    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final LockName LOCK = LockName.of("/counted");

    private final Queue<Runnable> relief = new ArrayDeque<>();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final IdealWire memory = new IdealWire(this::onLoop);
    private final List<Asker> askers = new ArrayList<>();
    private final LockPolicy policy;
    private final String kind;
    private final int number;
    private final EngineKeeper keeper;
    private WireSession.Liveness liveness = WireSession.Liveness.CONNECTED;
    private Runnable hint = () -> {};
    /** The number of seats of other processes. */
    private int others;

    private WorkScenario(HandOff handOff, String kind, int number) {
        this.policy = LockPolicy.defaults().handOff(handOff);
        this.kind = kind;
        this.number = number;
        AtomicLong ids = new AtomicLong();
        Notices notices = new Notices(relief::add, relief::add);
        SeatIds seatIds = new SeatIds(new UUID(0, 0), ids::incrementAndGet);
        this.keeper = new EngineKeeper(
                relief::add,
                (run, successor) ->
                        new Engine(run, QuickSettings.SETTINGS, wire(run), time.of(run), notices, seatIds, successor),
                error -> {
                    throw new AssertionError("an engine in memory does not fail", error);
                });
    }

    /** Returns the methods that did most of the work of the latest course. */
    static String busiest() {
        return WorkMeter.busiest();
    }

    /** Returns the work of the engine for this course of events. */
    static long run(String handOff, String kind, String course, int number) {
        WorkScenario scenario = new WorkScenario(
                switch (handOff) {
                    case "strict" -> HandOff.strict();
                    case "bounded" -> LockPolicy.defaults().handOff();
                    default -> LockPolicy.defaults().handOff().lingering(Duration.ofSeconds(30));
                },
                kind,
                number);
        scenario.onLoop(scenario.keeper::start);
        scenario.pass(Duration.ofSeconds(1));
        WorkMeter.begin();
        scenario.take(course);
        return WorkMeter.done();
    }

    private void take(String course) {
        switch (course) {
            case "expire" -> {
                letOtherCome();
                askAll(Patience.atMost(LIMIT, LIMIT));
                pass(LIMIT.plusSeconds(1));
                assertRefused(number);
            }
            case "expire-in-a-crowd" -> {
                for (int i = 0; i < number; i++) {
                    letOtherCome();
                }
                askAll(Patience.atMost(LIMIT, LIMIT));
                pass(LIMIT.plusSeconds(1));
                assertRefused(number);
            }
            case "cancel" -> {
                letOtherCome();
                askAll(Patience.atMost(LIMIT.multipliedBy(10), LIMIT.multipliedBy(10)));
                cancel();
            }
            case "serve" -> {
                askAll(Patience.forever());
                serveAll();
            }
            case "waited-for" -> {
                askAll(Patience.forever());
                letOtherCome();
                serveAll();
            }
            case "lapse" -> {
                disconnect();
                askAll(Patience.forever());
                reconnect();
                serveAll();
            }
            case "re-enter" -> {
                askAll(Patience.forever(), number / 2);
                disconnect();
                letProofEnd();
                reenter(number / 2);
                reconnect();
                serveAll();
            }
            case "together" -> {
                for (int i = 0; i < number / 2; i++) {
                    askTogether(i);
                }
                serveAll();
            }
            case "lost" -> {
                askAll(Patience.forever());
                onLoop(() -> {
                    memory.clear();
                    Engine engine = keeper.engine();
                    engine.held().forEach(held -> engine.tellEvicted(held.seatId()));
                });
                pass(Duration.ofSeconds(3));
                serveAll();
            }
            case "locks" -> {
                for (int i = 0; i < number; i++) {
                    ask(LockName.of("/counted/lock-" + i), demand(i), Patience.forever());
                }
                pass(Duration.ofSeconds(10));
                serveAll();
            }
            case "try" -> {
                letOtherCome();
                askAll(Patience.onlyAsking(LIMIT));
                assertRefused(number);
            }
            default -> throw new IllegalArgumentException(course);
        }
    }

    private Demand demand(int i) {
        return switch (kind) {
            case "exclusive" -> Demand.EXCLUSIVE;
            case "readers" -> Demand.READ;
            case "writers" -> Demand.WRITE;
            case "both" -> i % 2 == 0 ? Demand.READ : Demand.WRITE;
            case "permits" -> Demand.permits(1, number);
            case "scarce" -> Demand.permits(1, number / 2);
            case "mixed" -> Demand.permits(1 + i % 5, number);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private void askAll(Patience patience) {
        askAll(patience, number);
    }

    private void askAll(Patience patience, int most) {
        for (int i = 0; i < most; i++) {
            ask(LOCK, demand(i), patience);
        }
    }

    private void ask(LockName lock, Demand demand, Patience patience) {
        onLoop(keeper.asking(claim(lock, demand, patience), List.of()));
    }

    /** Asks for two locks, the second one behind the first. */
    private void askTogether(int i) {
        Claim first = claim(LOCK, demand(i), Patience.forever());
        Claim second = claim(LockName.of("/counted/second"), demand(i), Patience.forever());
        second.setBehind(first);
        onLoop(keeper.asking(first, List.of(second)));
    }

    /** Asks for further holds of what was granted, in turn. */
    private void reenter(int most) {
        List<Turn> granted = askers.stream()
                .map(asker -> asker.turn)
                .filter(Objects::nonNull)
                .toList();
        for (int i = 0; i < most; i++) {
            Turn own = granted.get(i % granted.size());
            Claim claim = claim(LOCK, own.demand(), Patience.forever());
            claim.setReentryOf(own);
            onLoop(keeper.asking(claim, List.of()));
        }
    }

    private Claim claim(LockName lock, Demand demand, Patience patience) {
        Asker asker = new Asker();
        Claim claim = new Claim(lock, demand, patience, null, time.nanoTime(), asker);
        claim.setPolicy(policy);
        asker.claim = claim;
        askers.add(asker);
        return claim;
    }

    /** Another process takes the lock alone, or waits for it. */
    private void letOtherCome() {
        Demand alone = switch (kind) {
            case "exclusive" -> Demand.EXCLUSIVE;
            case "readers", "writers", "both" -> Demand.WRITE;
            case "scarce" -> Demand.permits(number / 2, number / 2);
            default -> Demand.permits(number, number);
        };
        String stem = SeatName.stem(new UUID(1, ++others).toString(), alone);
        onLoop(() -> memory.createNow("/locks/counted/" + stem));
    }

    private void cancel() {
        for (int i = 0; i < number; i++) {
            // from both ends
            Asker asker = askers.get(i % 2 == 0 ? i / 2 : number - 1 - i / 2);
            onLoop(() -> keeper.cancel(Objects.requireNonNull(asker.claim)));
        }
    }

    /** Releases what was granted, until all have had their turn. */
    private void serveAll() {
        int served = 0;
        for (int round = 0; round < 4 * number && served < number; round++) {
            int before = served;
            for (Asker asker : List.copyOf(askers)) {
                Turn turn = asker.turn;
                if (turn != null && turn.dropHold()) {
                    onLoop(() -> keeper.engine().release(turn));
                }
                if (turn != null || asker.refused) {
                    askers.remove(asker);
                    served++;
                }
            }
            if (before == served) {
                letOthersGo();
                pass(Duration.ofSeconds(1));
            }
        }
        if (served < number) {
            throw new AssertionError("only " + served + " of " + number + " were served");
        }
    }

    private void letOthersGo() {
        for (; others > 0; others--) {
            String id = new UUID(1, others).toString();
            onLoop(() -> memory.deleteOf(id));
        }
    }

    private void assertRefused(int expected) {
        long refused = askers.stream().filter(asker -> asker.refused).count();
        if (refused != expected) {
            throw new AssertionError("only " + refused + " of " + expected + " were refused");
        }
    }

    private void disconnect() {
        liveness = WireSession.Liveness.DISCONNECTED;
        onLoop(hint);
        pass(Duration.ofMillis(100));
    }

    /** Waits until a held lock is not proven to be held any more. */
    private void letProofEnd() {
        for (int i = 0; i < 100 && askers.stream().anyMatch(asker -> asker.turn != null && asker.turn.isHeld()); i++) {
            pass(Duration.ofMillis(100));
        }
    }

    private void reconnect() {
        liveness = WireSession.Liveness.CONNECTED;
        onLoop(hint);
        pass(Duration.ofSeconds(30));
    }

    private void onLoop(Runnable task) {
        keeper.loop().execute(task);
        for (Runnable relieving = relief.poll(); relieving != null; relieving = relief.poll()) {
            relieving.run();
        }
    }

    private void pass(Duration duration) {
        for (long passed = 0; passed < duration.toMillis(); passed += 100) {
            time.advance(Duration.ofMillis(100).toNanos());
            onLoop(() -> {});
        }
    }

    private Wire wire(EngineRun run) {
        return new Wire() {
            @Override
            public void pin(Consumer<Pin> answer) {
                run.execute(() -> answer.accept(new Pin.Pinned(session())));
            }

            @Override
            public void onHint(Runnable wanted) {
                hint = () -> run.execute(wanted);
            }

            @Override
            public void leave() {}

            @Override
            public void close() {}
        };
    }

    /** The session of {@link #memory}, whose connection the scenario takes away. */
    private WireSession session() {
        return (WireSession) Proxy.newProxyInstance(
                WorkScenario.class.getClassLoader(), new Class<?>[] {WireSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("liveness")) {
                        return liveness;
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private static final class Asker implements Claim.Answer {

        private @Nullable Claim claim;
        private @Nullable Turn turn;
        private boolean refused;

        @Override
        public void granted(Turn granted) {
            turn = granted;
        }

        @Override
        public void refused(Refusal refusal) {
            refused = true;
        }

        @Override
        public boolean hasArrived() {
            return turn != null || refused;
        }

        @Override
        public String asker() {
            return "asker";
        }
    }
}
