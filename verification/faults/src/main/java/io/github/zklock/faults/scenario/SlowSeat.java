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
import org.awaitility.Awaitility;

/** A seat that one server alone has written down, as the others are slow, and the client that wants it. */
final class SlowSeat {

    private static final int STARTS = 10;
    /** It is to last until others are elected, and the client, which pauses between attempts, has found one of them. */
    private static final Duration SESSION_TIMEOUT = T.multipliedBy(3);

    private final ScenarioContext context;
    private final ServerProcess fast;
    private final ClientProcess holder;
    private final String session;

    private long before;
    private long asked;

    private SlowSeat(ScenarioContext context, ServerProcess fast, ClientProcess holder, String session) {
        this.context = context;
        this.fast = fast;
        this.holder = holder;
        this.session = session;
    }

    /**
     * Starts the client. It can reach one more server, which is a follower: whoever is sent to the leader is made to wait
     * there for what it has asked for.
     *
     * @param choice what the server is that the client is connected to, and that is fast
     */
    static SlowSeat of(ScenarioContext context, String client, Predicate<ServerProcess> choice)
            throws InterruptedException {
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

    /** What is written next is the seat. */
    private void makeItsFolder() {
        context.hold(holder);
        context.release(holder);
        context.queues().awaitNoSeats();
    }

    ClientProcess holder() {
        return holder;
    }

    /** Before it was asked for. */
    long asked() {
        return asked;
    }

    /** Lets the client ask for it, and keep it until it is told to release it; returns when one server has it. */
    void acquire(Duration slow) {
        ask("hold", slow);
    }

    /** Lets the client wait for it for so long at most, and give it back at once; returns when one server has it. */
    void acquireWithin(Duration maxWait, Duration slow) {
        ask("once 0 acquire-" + maxWait.toMillis(), slow);
    }

    /** Lets the client go to another server, and look around there. */
    void killItsServer() {
        context.kill(fast);
        Awaitility.await("a connection to another server")
                .atMost(ScenarioContext.MAX_WAIT)
                .until(() -> context.ensemble().serverOf(session).isPresent());
        // whoever looks for its seat without a sync finds none
        context.letPass(T.dividedBy(2));
    }

    boolean isGranted() {
        return context.timeline().count(event -> event.is(Kind.GRANTED, holder.name()) && event.at() > asked) > 0;
    }

    /** How many were made in that session since it was asked for. */
    long made() {
        return context.ensemble().leader().transactionLog().seatsOf(session) - before;
    }

    private void ask(String command, Duration slow) {
        TransactionLog transactionLog = fast.transactionLog();
        before = transactionLog.seatsOf(session);
        context.ensemble().servers().stream()
                .filter(server -> !server.equals(fast))
                .forEach(server -> context.slowDisk(server, slow));
        asked = System.nanoTime();
        holder.send(command + " " + context.variant().kind().exclusive());
        Awaitility.await("a seat that one server knows of")
                .atMost(ScenarioContext.MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> transactionLog.seatsOf(session) > before);
    }
}
