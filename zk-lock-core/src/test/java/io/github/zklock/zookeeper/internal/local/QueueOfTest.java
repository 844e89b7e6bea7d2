package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Deletions;
import io.github.zklock.zookeeper.internal.seat.Seat;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.QuickSettings;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionKeeper;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The queue of one exclusive lock. The test answers for the servers, moves the clock, and is the engine around it. */
final class QueueOfTest implements EngineContext {

    static final String FOLDER = "/locks/stats";

    private static final LockName LOCK = LockName.of("/stats");
    private static final String CREATE = "CreateSeat ";

    final ManualTime time = new ManualTime(Runnable::run);
    final RecordedSession servers = new RecordedSession();

    private final Announcer announcer = new Announcer(new Silent(), time);
    private final Deletions deletions = new Deletions(time);
    private final SessionKeeper keeper = new SessionKeeper(
            new EngineRun(Runnable::run), new OneSession(), time, "/locks", new Backoff(1, 1), new Client());
    private final List<String> allSent = new ArrayList<>();
    private final LocalQueue queue;
    /** The tasks that wait for their turn; null if they need not wait. */
    @Nullable Queue<Runnable> turns;

    private int seats;
    private String own = "";
    /** Whether there is a queue. */
    private boolean begun;

    QueueOfTest(HandOff handOff) {
        servers.needNoProof();
        keeper.start();
        queue = new LocalQueue(LOCK, Demand.EXCLUSIVE, LockPolicy.defaults().handOff(handOff), this);
        begun = true;
        sent();
    }

    LocalQueue queue() {
        return queue;
    }

    /** Loses the connection, and connects again. No request under way is answered. */
    void reconnect() {
        queue.connectionLost();
        queue.connected(keeper.connected().orElseThrow());
    }

    /** Returns the node of a seat of another process. */
    static String foreign(int sequence) {
        return node(new UUID(2, sequence).toString(), Demand.EXCLUSIVE, sequence);
    }

    /** Returns the node of a seat of another process that may linger. */
    static String lingering(int sequence) {
        return node(SeatName.lingering(new UUID(2, sequence).toString()), Demand.EXCLUSIVE, sequence);
    }

    /** Returns the node of a seat of another process for one of two permits, which may linger. */
    static String permits(int sequence) {
        return node(SeatName.lingering(new UUID(2, sequence).toString()), Demand.permits(1, 2), sequence);
    }

    private static String node(String id, Demand demand, int sequence) {
        return SeatName.stem(id, demand) + "%010d".formatted(sequence);
    }

    /** Requests the lock, with any wait. */
    Request request() {
        return request(Patience.forever());
    }

    /** Requests the lock if it is free. */
    Request attempt() {
        return request(Patience.onlyAsking(Duration.ofSeconds(10)));
    }

    Request request(Patience patience) {
        Request request = new Request(patience);
        queue.enter(request.claim);
        return request;
    }

    /** Acquires the lock by a seat of this number, which is the only one in the queue. */
    Request hold(int sequence) {
        Request request = request();
        list(create(sequence));
        return request;
    }

    /** Returns what was sent since the last call. */
    List<String> sent() {
        List<String> now = servers.sent();
        allSent.addAll(now);
        return now;
    }

    /** Creates the seat that was requested last. Returns its node. */
    String create(int sequence) {
        sent();
        String stem = allSent.stream()
                .filter(request -> request.startsWith(CREATE))
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .substring(CREATE.length());
        String path = stem + "%010d".formatted(sequence);
        own = path.substring(path.lastIndexOf('/') + 1);
        servers.created(CREATE + stem, path);
        return own;
    }

    /** Returns the node that was created last. */
    String own() {
        return own;
    }

    /** Answers the oldest listing. */
    void list(String... nodes) {
        servers.answer("list " + FOLDER, Outcome.OK, List.of(nodes));
    }

    /** Has the folder watched, with these nodes in it. */
    void watch(String... nodes) {
        servers.answer("watchTree", Outcome.OK, null);
        list(nodes);
    }

    /** A request, and its answer. */
    final class Request implements Claim.Answer {

        final Claim claim;
        private @Nullable Turn turn;
        private @Nullable Refusal refusal;

        Request(Patience patience) {
            claim = new Claim(LOCK, Demand.EXCLUSIVE, patience, null, time.nanoTime(), this);
        }

        boolean isGranted() {
            return turn != null;
        }

        @Nullable Refusal refusal() {
            return refusal;
        }

        void release() {
            if (turn != null) {
                giveBack(turn);
            }
        }

        @Override
        public void granted(Turn granted) {
            turn = granted;
        }

        @Override
        public void refused(Refusal why) {
            refusal = why;
        }

        @Override
        public boolean hasArrived() {
            return turn != null || refusal != null;
        }

        @Override
        public String asker() {
            return "asker";
        }
    }

    // the engine

    @Override
    public Settings settings() {
        return QuickSettings.SETTINGS;
    }

    @Override
    public Time time() {
        return time;
    }

    @Override
    public SessionKeeper keeper() {
        return keeper;
    }

    @Override
    public Announcer announcer() {
        return announcer;
    }

    @Override
    public Seat newSeat(Seat.Owner owner, PinnedSession session, String folder, Claim seeker, HandOff handOff) {
        Label label = new Label(QuickSettings.SETTINGS.owner(), "waiter", Instant.EPOCH);
        String id = new UUID(1, ++seats).toString();
        return new Seat(
                owner,
                session,
                deletions,
                folder,
                handOff.linger().isZero() ? id : SeatName.lingering(id),
                seeker.demand(),
                label,
                handOff.policy() == HandOff.Policy.STRICT);
    }

    @Override
    public void grant(Turn turn, Claim claim) {
        claim.grant(turn);
    }

    @Override
    public void refuse(Claim claim, Refusal refusal) {
        claim.refuse(refusal);
    }

    @Override
    public void lost(Turn turn, String reason) {
        turn.lose(reason);
    }

    @Override
    public void giveBack(Turn turn) {
        if (turn.dropHold()) {
            queue.giveBack(turn);
        }
    }

    @Override
    public void inTurn(Runnable task) {
        if (turns == null) {
            task.run();
        } else {
            turns.add(task);
        }
    }

    @Override
    public void wantProof(LocalQueue wanting) {}

    @Override
    public void retire(LocalQueue over) {}

    private final class Client implements SessionKeeper.Client {

        @Override
        public void connected(PinnedSession session) {
            deletions.continueOn(session);
            if (begun) {
                queue.connected(session);
            }
        }

        @Override
        public void disconnected() {
            queue.connectionLost();
        }

        @Override
        public void ended(PinnedSession session, String reason) {
            deletions.sessionEnded();
            session.nodes().forEach(node -> node.sessionEnded(reason));
        }

        @Override
        public void proofAdvanced() {}

        @Override
        public void denied(Refusal refusal) {}

        @Override
        public void clientClosed() {}

        @Override
        public void tick() {
            queue.tick();
        }
    }

    private final class OneSession implements Wire {

        @Override
        public void pin(Consumer<Pin> answer) {
            answer.accept(new Pin.Pinned(servers));
        }

        @Override
        public void onHint(Runnable hint) {}

        @Override
        public void leave() {}

        @Override
        public void close() {}
    }

    private static final class Silent implements Notifier {

        @Override
        public void tell(LockEvent event) {}

        @Override
        public boolean isHeard() {
            return false;
        }

        @Override
        public void lost(Turn turn) {}

        @Override
        public void released(Turn turn) {}
    }
}
