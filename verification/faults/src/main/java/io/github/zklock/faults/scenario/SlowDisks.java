package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.TransactionLog;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Servers with a slow or full disk. */
public class SlowDisks {

    private static final int ATTEMPTS = 2;
    private static final Duration ELECTION = Duration.ofSeconds(20);
    private static final Duration BRIEF = Duration.ofMillis(300);
    /** Longer than any wait meanwhile: the disks are healed before. */
    private static final Duration SLOW = ScenarioContext.MAX_WAIT.multipliedBy(2);

    /** An election waits until the voters have written their pending transactions. */
    private static final Duration SLOW_FOR_VOTERS = T.dividedBy(6);

    /*
     * The create is proposed, and only one server has it. The client asks another server, which does not have it yet: a
     * client that relies on this answer creates a second node, and waits behind the first. (L2)
     */
    @FaultScenario(value = "S6", grants = 6, handOvers = 3, faults = 6, peers = true)
    public void anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat(ScenarioContext context) {
        acquireWhileItsServerDies(context, ServerProcess::follows, SLOW);
    }

    @FaultScenario(value = "S6", tier = Tier.ALL, grants = 6, handOvers = 3, faults = 6, peers = true)
    public void anAcquireWhoseLeaderDiesBeforeTheOthersKnowOfItMakesOneSeat(ScenarioContext context) {
        acquireWhileItsServerDies(context, ServerProcess::leads, SLOW_FOR_VOTERS);
    }

    /** The caller has given up by then: the process must delete the seat that is still created. */
    @FaultScenario(value = "S6", grants = 4, handOvers = 3, faults = 6)
    public void anAcquireThatIsGivenUpBeforeTheOthersKnowOfItLeavesNoSeat(ScenarioContext context) {
        ClientProcess next = context.client("next");
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            SlowSeat seat = SlowSeat.of(context, "holder-" + attempt, ServerProcess::follows);
            seat.acquireWithin(BRIEF, SLOW);
            context.await(Kind.UNAVAILABLE, seat.holder, seat.calledAt());
            seat.killItsServer();
            context.heal();

            context.holdInTurn(next);
        }
    }

    @FaultScenario(value = "S28", grants = 5, handOvers = 3)
    public void aFollowerWhoseDiskIsFullTakesNobodysLock(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        // one of the holder's two servers remains
        ThreeClients clients = ThreeClients.of(context, ensemble.connectStringWithout(ensemble.leader()));
        ClientProcess holder = clients.holder();
        clients.loop();
        String session = context.hold(holder).text("session");
        ServerProcess follower = ensemble.serverOf(session)
                .filter(ServerProcess::follows)
                .orElseThrow(() -> new AssertionError("The holder is no client of a follower: nothing was tested"));

        Event full = fillTheDisk(context, follower);
        // the last proof from that server has expired by then: the client must fail over and prove the session again
        long later = System.nanoTime() + T.toNanos();
        context.awaitHeld(holder, true, later);
        context.release(holder, "ok");
        clients.awaitGrants(full);
        clients.awaitGrants(context.heal());

        assertThat(context.timeline().events())
                .filteredOn(event -> event.is(Kind.LOST))
                .isEmpty();
    }

    @FaultScenario(value = "S28", grants = 5, handOvers = 3)
    public void theLockGoesOnWhileTheDiskOfTheLeaderIsFull(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        context.hold(clients.holder());

        ServerProcess leader = context.ensemble().leader();
        Event full = fillTheDisk(context, leader);
        context.lastUntil(full, T.dividedBy(2));
        awaitNextLeader(context, leader);
        // lost or not: the client may give up during an election, and K6 judges the reports
        context.release(clients.holder());
        clients.awaitGrants(full);
        clients.awaitGrants(context.heal());
    }

    private static void acquireWhileItsServerDies(
            ScenarioContext context, Predicate<ServerProcess> choice, Duration slow) {
        ClientProcess next = context.client("next");
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            SlowSeat seat = SlowSeat.of(context, "holder-" + attempt, choice);
            seat.acquire(slow);
            seat.killItsServer();
            context.heal();

            ScenarioContext.until(
                    "a grant or a second seat",
                    () -> seat.isGranted() || context.queues().seats() > 1);
            assertThat(seat.made())
                    .as("seats made by one acquire in one session")
                    .isLessThanOrEqualTo(1);
            assertThat(context.queues().seats()).as("seats of one holder").isEqualTo(1);
            context.release(seat.holder);
            context.holdInTurn(next);
        }
    }

    /**
     * Waits until another server leads. A server that cannot write still votes, and can keep the others from an
     * election for long: then an operator ends it.
     */
    private static void awaitNextLeader(ScenarioContext context, ServerProcess former) {
        try {
            awaitAnotherLeader(context, former, ELECTION);
        } catch (ConditionTimeoutException disturbed) {
            context.kill(former);
            awaitAnotherLeader(context, former, ScenarioContext.MAX_WAIT);
        }
    }

    private static void awaitAnotherLeader(ScenarioContext context, ServerProcess former, Duration limit) {
        Awaitility.await("the next leader")
                .atMost(limit)
                .until(() ->
                        context.ensemble().servers().stream().anyMatch(server -> server != former && server.leads()));
    }

    private static Event fillTheDisk(ScenarioContext context, ServerProcess server) {
        Event full = context.fullDisk(server);
        // waiters write as well: their processes prove their sessions
        ScenarioContext.until(server.name() + " has given up", server::hasGivenUp);
        return full;
    }

    /** A seat that only one server has written, because the others are slow, and its client. */
    static final class SlowSeat {

        private static final int STARTS = 10;
        /** Long enough for an election and for a client that pauses between attempts to connect. */
        private static final Duration SESSION_TIMEOUT = T.multipliedBy(3);

        private final ScenarioContext context;
        private final ServerProcess fast;
        final ClientProcess holder;
        private final String session;

        private long before;
        private long calledAt;

        private SlowSeat(ScenarioContext context, ServerProcess fast, ClientProcess holder, String session) {
            this.context = context;
            this.fast = fast;
            this.holder = holder;
            this.session = session;
        }

        /**
         * Starts the client. It can reach one more server, which is a follower: a leader with a slow disk would block the
         * client.
         *
         * @param choice selects the server of the client, which is fast
         */
        static SlowSeat of(ScenarioContext context, String client, Predicate<ServerProcess> choice) {
            List<ServerProcess> servers = context.ensemble().servers();
            List<ServerProcess> within = Stream.concat(
                            servers.stream().filter(choice), servers.stream().filter(ServerProcess::follows))
                    .distinct()
                    .limit(2)
                    .toList();
            for (int start = 1; start <= STARTS; start++) {
                String name = client + "-" + start;
                ClientProcess holder = context.client(
                        name,
                        context.proxy(name, within).connectString(),
                        ClientOptions.DEFAULT.withSessionTimeout(SESSION_TIMEOUT));
                context.awaitReady();
                String session = context.await(Kind.READY, holder, 0).text("session");
                Optional<ServerProcess> fast = context.ensemble()
                        .serverOf(session)
                        .filter(within::contains)
                        .filter(choice);
                if (fast.isPresent()) {
                    // creates the folder: the next create is that of the seat
                    context.holdInTurn(holder);
                    context.queues().awaitNoSeats();
                    return new SlowSeat(context, fast.get(), holder, session);
                }
                context.dismiss(holder);
            }
            throw new AssertionError("No client came to the server that is to be fast: nothing was tested");
        }

        /** Returns an instant before the last call. */
        long calledAt() {
            return calledAt;
        }

        /** Lets the client acquire the lock and keep it; returns when one server has the seat. */
        void acquire(Duration slow) {
            call("hold", slow);
        }

        /** Lets the client acquire the lock within a wait time and release it; returns when one server has the seat. */
        void acquireWithin(Duration maxWait, Duration slow) {
            call("once 0 acquire-" + maxWait.toMillis(), slow);
        }

        /** Lets the client fail over to another server, and search for its seat there. */
        void killItsServer() {
            context.kill(fast);
            ScenarioContext.until(
                    "a connection to another server",
                    () -> context.ensemble().serverOf(session).isPresent());
            // a client that searches without a sync finds no seat
            context.letPass(T.dividedBy(2));
        }

        boolean isGranted() {
            return context.timeline().has(Kind.GRANTED, holder.name(), calledAt);
        }

        /** Returns how many seats the session has created since the last call. */
        long made() {
            return context.ensemble().leader().transactionLog().seatsOf(session) - before;
        }

        private void call(String command, Duration slow) {
            TransactionLog transactionLog = fast.transactionLog();
            before = transactionLog.seatsOf(session);
            context.ensemble().servers().stream()
                    .filter(server -> !server.equals(fast))
                    .forEach(server -> context.slowDisk(server, slow));
            calledAt = System.nanoTime();
            holder.send(command + " " + context.exclusive());
            ScenarioContext.until(
                    "a seat that one server knows of",
                    Duration.ofMillis(1),
                    () -> transactionLog.seatsOf(session) > before);
        }
    }
}
