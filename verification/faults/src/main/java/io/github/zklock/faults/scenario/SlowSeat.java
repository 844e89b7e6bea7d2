package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Journal;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.Stage;
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

    private final Stage stage;
    private final ServerProcess fast;
    private final ClientProcess holder;
    private final String session;

    private long before;
    private long asked;

    private SlowSeat(Stage stage, ServerProcess fast, ClientProcess holder, String session) {
        this.stage = stage;
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
    static SlowSeat of(Stage stage, String client, Predicate<ServerProcess> choice) throws InterruptedException {
        List<ServerProcess> servers = stage.ensemble().servers();
        List<ServerProcess> within = Stream.concat(
                        servers.stream().filter(choice), servers.stream().filter(ServerProcess::follows))
                .distinct()
                .limit(2)
                .toList();
        for (int start = 1; start <= STARTS; start++) {
            String name = client + "-" + start;
            ClientProcess holder = stage.client(
                    name,
                    stage.wiretap(name, within).connectString(),
                    Equipment.USUAL.withSessionTimeout(SESSION_TIMEOUT));
            stage.awaitReady();
            String session = stage.await(Kind.READY, holder, 0).text("session");
            Optional<ServerProcess> fast =
                    stage.ensemble().serverOf(session).filter(within::contains).filter(choice);
            if (fast.isPresent()) {
                SlowSeat seat = new SlowSeat(stage, fast.get(), holder, session);
                seat.makeItsFolder();
                return seat;
            }
            stage.dismiss(holder);
        }
        throw new AssertionError("No client came to the server that is to be fast: nothing was tested");
    }

    /** What is written next is the seat. */
    private void makeItsFolder() {
        stage.hold(holder);
        stage.release(holder);
        stage.seating().awaitNoSeats();
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
        stage.kill(fast);
        Awaitility.await("a connection to another server")
                .atMost(Stage.PATIENCE)
                .until(() -> stage.ensemble().serverOf(session).isPresent());
        // whoever looks for its seat without a sync finds none
        stage.letPass(T.dividedBy(2));
    }

    boolean isGranted() {
        return stage.timeline().count(event -> event.is(Kind.GRANTED, holder.name()) && event.at() > asked) > 0;
    }

    /** How many were made in that session since it was asked for. */
    long made() {
        return stage.ensemble().leader().journal().seatsOf(session) - before;
    }

    private void ask(String order, Duration slow) {
        Journal journal = fast.journal();
        before = journal.seatsOf(session);
        stage.ensemble().servers().stream()
                .filter(server -> !server.equals(fast))
                .forEach(server -> stage.slowDisk(server, slow));
        asked = System.nanoTime();
        holder.order(order + " " + stage.variant().kind().alone());
        Awaitility.await("a seat that one server knows of")
                .atMost(Stage.PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> journal.seatsOf(session) > before);
    }
}
