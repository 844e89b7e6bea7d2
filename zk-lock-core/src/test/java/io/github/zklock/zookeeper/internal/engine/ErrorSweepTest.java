package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.zklock.HandOff;
import io.github.zklock.LockEvent;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Notifier;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.QuickSettings;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * L19: an Error at any request of acquire, wait, hand-over, try and release, or in telling what happened, leaves nobody
 * waiting and nothing behind.
 */
class ErrorSweepTest {

    private static final LockName LOCK = LockName.of("/swept");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** Whoever is not served is not helped by his deadline. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final int NEVER = Integer.MAX_VALUE;

    static Stream<Arguments> policiesAndDemands() {
        HandOff bounded = HandOff.bounded(1, Duration.ofMillis(1));
        List<List<Demand>> demands = List.of(
                List.of(Demand.EXCLUSIVE, Demand.EXCLUSIVE, Demand.EXCLUSIVE, Demand.EXCLUSIVE),
                List.of(Demand.WRITE, Demand.READ, Demand.READ, Demand.WRITE),
                List.of(Demand.READ, Demand.READ, Demand.WRITE, Demand.READ),
                List.of(Demand.permits(1, 3), Demand.permits(2, 3), Demand.permits(3, 3), Demand.permits(1, 3)));
        return Stream.of(HandOff.strict(), bounded, bounded.lingering(Duration.ofSeconds(3)))
                .flatMap(handOff -> demands.stream().map(each -> arguments(handOff, each)));
    }

    @ParameterizedTest
    @MethodSource("policiesAndDemands")
    void anErrorAtAnyRequestLeavesNobodyWaitingAndNothingBehind(HandOff handOff, List<Demand> demands) {
        sweep(step -> happens(new Run(step, NEVER, handOff), demands, false, "at request " + step));
    }

    @ParameterizedTest
    @MethodSource("policiesAndDemands")
    void anErrorAtAnyRequestOfThoseWhoWaitedForAConnectionLeavesNobodyWaitingAndNothingBehind(
            HandOff handOff, List<Demand> demands) {
        sweep(step -> happens(new Run(step, NEVER, handOff), demands, true, "at request " + step));
    }

    @ParameterizedTest
    @MethodSource("policiesAndDemands")
    void anErrorInTellingWhatHappenedLeavesNobodyWaitingAndNothingBehind(HandOff handOff, List<Demand> demands) {
        sweep(step -> happens(new Run(NEVER, step, handOff), demands, false, "in telling " + step));
    }

    /** Has an error happen at the first step, at the second, and so on, until there is none any more. */
    private static void sweep(IntPredicate happensAt) {
        int swept = 1;
        while (happensAt.test(swept)) {
            swept++;
        }

        assertThat(swept).isGreaterThan(10);
    }

    /**
     * Whether there was an error.
     *
     * @param early whether there is no connection yet when they ask
     */
    private static boolean happens(Run run, List<Demand> demands, boolean early, String where) {
        if (!early) {
            run.start();
        }
        demands.forEach(demand -> run.ask(demand, Patience.atMost(LONG, LIMIT)));
        run.ask(demands.get(0), Patience.onlyAsking(LIMIT));
        run.cancelLast();
        if (early) {
            run.start();
        }
        run.pass(Duration.ofMillis(500));
        run.letAReaderOfAnotherProcessComeAndGo(demands.get(0));
        run.pass(Duration.ofMillis(1500));
        run.ask(demands.get(0), Patience.onlyAsking(LIMIT));
        run.takeFromAll();
        run.pass(Duration.ofMinutes(2));

        assertThat(run.claims).as("claims with an error " + where).noneMatch(Claim::isOpen);
        assertThat(run.grantedOnNothing)
                .as("granted on nothing with an error " + where)
                .isFalse();
        if (!run.hasFailed()) {
            return false;
        }
        boolean served = run.isServed(demands.get(0));
        // the error may have been this one's own
        assertThat(served || run.isServed(demands.get(0)))
                .as("granted after an error " + where)
                .isTrue();
        run.pass(Duration.ofMinutes(2));
        assertThat(run.keeper.engine().isQuiet())
                .as("quiet after an error " + where)
                .isTrue();
        assertThat(run.memory.isEmpty()).as("no node after an error " + where).isTrue();
        return true;
    }

    /** One engine, and askers who give back what they get a second later; writers read for the most of it. */
    private static final class Run {

        private final ManualTime time = new ManualTime(Runnable::run);
        private final IdealWire memory = new IdealWire(task -> onLoop(task));
        private final AtomicInteger requests = new AtomicInteger();
        private final int failingRequest;
        private final FailingNotifier notifier;
        private final EngineKeeper keeper;
        private final LockPolicy policy;
        private final List<Claim> claims = new ArrayList<>();
        /** Whether a turn was given on a seat that had been left. */
        private boolean grantedOnNothing;

        /**
         * @param failingRequest the number of the one that ends in an error
         * @param failingWord the number of the one whose telling does
         */
        Run(int failingRequest, int failingWord, HandOff handOff) {
            policy = LockPolicy.defaults().handOff(handOff);
            this.failingRequest = failingRequest;
            notifier = new FailingNotifier(failingWord);
            AtomicLong ids = new AtomicLong();
            SeatIds seatIds = new SeatIds(new UUID(0, 0), ids::incrementAndGet);
            keeper = new EngineKeeper(
                    Runnable::run,
                    (run, successor) -> new Engine(
                            run,
                            QuickSettings.SETTINGS,
                            FailingWire.around(memory, run, FailingWire.failingAt(failingRequest, requests)),
                            time.of(run),
                            notifier,
                            seatIds,
                            successor),
                    error -> assertThat(error).isInstanceOf(InternalError.class).hasMessageStartingWith("planted"));
        }

        private void onLoop(Runnable task) {
            keeper.loop().execute(task);
        }

        void start() {
            onLoop(keeper::start);
        }

        Asker ask(Demand demand, Patience patience) {
            Asker asker = new Asker();
            Claim claim = claim(demand, patience, asker);
            claim.setPolicy(policy);
            onLoop(keeper.asking(claim, List.of()));
            return asker;
        }

        boolean isServed(Demand demand) {
            Asker asker = ask(demand, Patience.atMost(LIMIT, LIMIT));
            pass(LIMIT);
            return asker.granted;
        }

        private Claim claim(Demand demand, Patience patience, Asker asker) {
            Claim claim = new Claim(LOCK, demand, patience, null, time.nanoTime(), asker);
            claims.add(claim);
            return claim;
        }

        private void remove(String path) {
            memory.transact(List.of(new Change.Delete(path)), (outcome, none) -> {});
        }

        /** Behind a writer of ours who reads by then, and so has to make way. */
        void letAReaderOfAnotherProcessComeAndGo(Demand demand) {
            if (demand.kind() == LockKind.WRITE) {
                String stem = SeatName.stem(new UUID(1, 1).toString(), Demand.READ);
                memory.transact(
                        List.of(RecordedSession.createSeat("/locks/swept/" + stem)),
                        (outcome, done) -> time.after(
                                Duration.ofSeconds(5).toNanos(),
                                () -> remove(done.seats().get(0).path())));
            }
        }

        boolean hasFailed() {
            return requests.get() >= failingRequest || notifier.hasFailed();
        }

        /** An operator deletes all nodes, those of the waiting as well. */
        void takeFromAll() {
            onLoop(() -> {
                memory.clear();
                Engine engine = keeper.engine();
                engine.held().forEach(held -> engine.tellEvicted(held.seatId()));
            });
        }

        void cancelLast() {
            onLoop(() -> keeper.cancel(claims.get(claims.size() - 1)));
        }

        void pass(Duration duration) {
            for (long passed = 0; passed < duration.toMillis(); passed += 100) {
                time.advance(Duration.ofMillis(100).toNanos());
                if (passed % 1000 == 0) {
                    onLoop(keeper::look);
                }
            }
        }

        private final class Asker implements Claim.Answer {

            private boolean granted;

            @Override
            public void granted(Turn turn) {
                granted = true;
                grantedOnNothing |= !turn.seat().session().nodes().contains(turn.seat());
                if (turn.demand().kind() == LockKind.WRITE) {
                    time.after(Duration.ofMillis(200).toNanos(), () -> readOn(turn));
                } else {
                    time.after(Duration.ofSeconds(1).toNanos(), () -> giveBack(turn));
                }
            }

            private void readOn(Turn turn) {
                Claim toRead = claim(Demand.READ, Patience.atMost(LIMIT, LIMIT), new Asker());
                toRead.setReentryOf(turn);
                onLoop(keeper.asking(toRead, List.of()));
                onLoop(() -> giveBack(turn));
            }

            private void giveBack(Turn turn) {
                if (turn.dropHold()) {
                    onLoop(() -> keeper.engine().release(turn));
                }
            }

            @Override
            public void refused(Refusal refusal) {}

            @Override
            public boolean hasArrived() {
                return true;
            }

            @Override
            public String asker() {
                return "asker";
            }
        }
    }

    private static final class FailingNotifier implements Notifier {

        private final int failing;
        private int words;

        FailingNotifier(int failing) {
            this.failing = failing;
        }

        boolean hasFailed() {
            return words >= failing;
        }

        @Override
        public void tell(LockEvent event) {
            next();
        }

        @Override
        public void lost(Turn turn) {
            next();
        }

        @Override
        public void released(Turn turn) {
            next();
        }

        @Override
        public void releaseUnseen(Turn turn) {
            next();
        }

        private void next() {
            if (++words == failing) {
                throw new InternalError("planted in telling " + failing);
            }
        }
    }
}
