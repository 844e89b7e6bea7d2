package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.TransactionLog;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A seat that only one server has written, because the others are slow, and its client. */
final class SlowSeat {

    private static final int STARTS = 10;
    /** Long enough for an election and for a client that pauses between attempts to connect. */
    private static final Duration SESSION_TIMEOUT = T.multipliedBy(3);

    private final ScenarioContext context;
    private final ServerProcess fast;
    private final ClientProcess holder;
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
                SlowSeat seat = new SlowSeat(context, fast.get(), holder, session);
                seat.makeItsFolder();
                return seat;
            }
            context.dismiss(holder);
        }
        throw new AssertionError("No client came to the server that is to be fast: nothing was tested");
    }

    /** Creates the folder: the next create is that of the seat. */
    private void makeItsFolder() {
        context.holdInTurn(holder);
        context.queues().awaitNoSeats();
    }

    ClientProcess holder() {
        return holder;
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
        return context.count(event -> event.is(Kind.GRANTED, holder.name()) && event.at() > calledAt) > 0;
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
