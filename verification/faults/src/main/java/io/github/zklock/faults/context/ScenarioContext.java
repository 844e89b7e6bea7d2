package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.CutDirection;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.StoppedClock;
import io.github.zklock.faults.cluster.WallClock;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** The stage of one test: an ensemble, client processes around one lock, things to be done to them, and a jury. */
public final class ScenarioContext implements AutoCloseable {

    /** The session timeout of all clients. */
    public static final Duration T = Ensemble.SESSION_TIMEOUT;

    /** For how long anything is waited for. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final Variant variant;
    private final Random random;
    private final Path folder;
    private final Evaluation evaluation;
    private final String basePath;
    private final Ensemble ensemble;
    private final Timeline timeline = new Timeline();
    private final ClientProcesses clients;
    private final ClientProxies proxies = new ClientProxies(timeline);
    private final QueueMonitor queues;
    private final List<Operator> operators = new ArrayList<>();

    public ScenarioContext(
            FaultScenario scenario, String name, Variant variant, long seed, Path folder, Ensemble ensemble) {
        this.variant = variant;
        this.random = new Random(seed);
        this.folder = folder;
        this.basePath = "/" + name;
        this.ensemble = ensemble;
        this.evaluation = new Evaluation(scenario, variant, RunFolder.in(folder), basePath, ensemble, timeline);
        this.queues = new QueueMonitor(ensemble, basePath);
        ensemble.restore();
        this.clients = new ClientProcesses(variant, basePath, folder, timeline);
        note(RegisterWrite.REGISTER, Kind.READY);
    }

    /** What it is played with. */
    public Variant variant() {
        return variant;
    }

    /** What draws that which is left to chance; the same again for the same seed. */
    public Random random() {
        return random;
    }

    public Ensemble ensemble() {
        return ensemble;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** What stands in the scenario's queues. */
    public QueueMonitor queues() {
        return queues;
    }

    /** Where a process of the scenario's own may keep its files. */
    public Path folder() {
        return folder;
    }

    /** Starts a client that knows these servers. It is there once {@link #awaitReady} has returned. */
    public ClientProcess client(String client, String connectString) {
        return client(client, connectString, ClientOptions.DEFAULT);
    }

    /** The same with something of its own. */
    public ClientProcess client(String client, String connectString, ClientOptions clientOptions) {
        return clients.start(client, connectString, clientOptions);
    }

    /** A way of its own to these servers, for a client that is to be disturbed at an exact step. */
    public InterceptingProxy proxy(String client, List<ServerProcess> servers) {
        return proxies.open(client, servers);
    }

    public void awaitReady() {
        clients.awaitReady();
    }

    /** Waits for the first such event of a client after an instant. */
    public Event await(Kind kind, ClientProcess client, long after) {
        return clients.await(client, kind, after);
    }

    /** Waits until anybody but this client is granted the lock. */
    public Event awaitGrantToOthers(ClientProcess client, long after) {
        return timeline.await(
                "a grant to others than " + client.name(),
                after,
                event -> event.is(Kind.GRANTED) && !event.source().equals(client.name()));
    }

    /** Waits until anybody has this wish granted. */
    public Event awaitGrantOf(String spec, long after) {
        return timeline.await(
                "a grant of " + spec,
                after,
                event -> event.is(Kind.GRANTED) && event.text("wish").equals(spec));
    }

    /** Waits for what comes of a call that was made. */
    public Event awaitAnswer(Event asked) {
        return timeline.await(
                "an answer to " + asked.source(),
                asked.at(),
                event -> event.source().equals(asked.source()) && event.kind().isAnswer());
    }

    /** Waits until the holder of this grant is told that it has lost it. */
    public Event awaitLossOf(Event granted) {
        return awaitOfHold(Kind.LOST, "the loss of ", granted);
    }

    /** Waits until this grant has come to its end. */
    public Event awaitEndOf(Event granted) {
        return awaitOfHold(Kind.CLOSED, "the end of ", granted);
    }

    private Event awaitOfHold(Kind kind, String what, Event granted) {
        return timeline.await(
                what + granted,
                granted.at(),
                event -> event.is(kind, granted.source()) && event.text("hold").equals(granted.text("hold")));
    }

    /** Somebody who is not bound by the rules of the lock; ends with the stage. */
    public Operator operator() {
        Operator operator = new Operator(ensemble.connectStringWithout(), basePath);
        operators.add(operator);
        return operator;
    }

    /** Lets a client take the lock alone and keep it. */
    public Event hold(ClientProcess client) {
        return hold(client, variant.kind().exclusive());
    }

    /** Lets a client have this wish granted and keep what it gets. */
    public Event hold(ClientProcess client, String spec) {
        long now = System.nanoTime();
        client.send("hold " + spec);
        return await(Kind.GRANTED, client, now);
    }

    /** Lets a client that keeps the lock give it back. */
    public Event release(ClientProcess client) {
        long now = System.nanoTime();
        client.send("release");
        return await(Kind.CLOSED, client, now);
    }

    /** Stops a client; the event is later than its last step. */
    public Event pause(ClientProcess client) {
        client.pause();
        return note(client.name(), Kind.PAUSED);
    }

    /** Lets a client go on; the event is earlier than its next step. */
    public Event resume(ClientProcess client) {
        Event event = note(client.name(), Kind.RESUMED);
        client.resume();
        return event;
    }

    /** Ends a client without a word; the event is later than its last step. */
    public Event kill(ClientProcess client) throws InterruptedException {
        clients.expectEnd(client);
        client.kill();
        return note(client.name(), Kind.KILLED);
    }

    /** Lets a client that is not needed give back what it has, and end by itself; the event is earlier than that. */
    public Event dismiss(ClientProcess client) throws InterruptedException {
        clients.expectEnd(client);
        Event event = note(client.name(), Kind.CLOSING);
        client.askToEnd();
        client.awaitEnd();
        return event;
    }

    /** Ends a client as an operator would; the event is earlier than its first step of that. */
    public Event terminate(ClientProcess client) throws InterruptedException {
        clients.expectEnd(client);
        Event event = note(client.name(), Kind.CLOSING);
        client.terminate();
        return event;
    }

    /** Does something to the client that a process shares with others; the event is earlier. */
    public Event disrupt(ClientProcess client, Disruption disruption) {
        Event event = note(client.name(), Kind.DISRUPTED, "how", disruption);
        client.send("disrupt " + disruption);
        return event;
    }

    public Event pause(ServerProcess server) {
        server.pause();
        return note(server.name(), Kind.PAUSED);
    }

    /** Lets a paused server go on, while everything else that was done to the servers lasts. */
    public Event resume(ServerProcess server) {
        Event event = note(server.name(), Kind.RESUMED);
        server.resume();
        return event;
    }

    /** Restarts one server with further lines of configuration; the event is later than its start. */
    public Event restart(ServerProcess server, List<String> settings) {
        note(server.name(), Kind.KILLED);
        ensemble.restart(server, settings);
        return note("ensemble", Kind.HEALED);
    }

    public Event kill(ServerProcess server) {
        server.kill();
        return note(server.name(), Kind.KILLED);
    }

    /** Cuts a server off from the others, not from its clients. */
    public Event isolate(ServerProcess server) {
        return isolate(server, CutDirection.BOTH);
    }

    /** Cuts a server off from the others in one direction. */
    public Event isolate(ServerProcess server, CutDirection direction) {
        ensemble.isolate(server, direction);
        return note(server.name(), Kind.CUT);
    }

    /** Lets a server need so long to write anything down. */
    public Event slowDisk(ServerProcess server, Duration time) {
        server.slowDisk(time);
        return note(server.name(), Kind.SLOWED);
    }

    /** Lets a server fail to write anything down. */
    public Event fullDisk(ServerProcess server) {
        server.fullDisk();
        return note(server.name(), Kind.FILLED);
    }

    /** Starts all servers anew with further options for their JVMs, until all is mended. */
    public Event restartWith(List<String> options) {
        note("ensemble", Kind.KILLED);
        ensemble.restartWith(options);
        return note("ensemble", Kind.HEALED);
    }

    /** Restarts all servers, each with further lines of configuration; usually the last one leads afterwards. */
    public Event restartAll(List<List<String>> settings) {
        note("ensemble", Kind.KILLED);
        ensemble.restartAll(settings);
        return note("ensemble", Kind.HEALED);
    }

    /** A wall clock that can be set, for clients that are started with it. */
    public WallClock wallClock() {
        return WallClock.in(folder)
                .orElseThrow(() -> new ScenarioSkippedException(
                        "there is no libfaketime to set a client's clock with: apt-get install faketime"));
    }

    /** Clocks that stand still while their process is paused, for clients that are started with them. */
    public StoppedClock stoppedClock() {
        return StoppedClock.in(folder)
                .orElseThrow(() -> new ScenarioSkippedException(
                        "there is no C compiler to build a client's clock with: apt-get install gcc libc6-dev"));
    }

    /** Lets a paused client go on, whose clocks stood still since then. */
    public Event resume(ClientProcess client, StoppedClock clock, Event paused) {
        long now = System.nanoTime();
        clock.standStill(paused.at(), now);
        note(client.name(), Kind.STOOD_STILL, "nanos", now - paused.at());
        return resume(client);
    }

    /** Lets a wall clock be so far ahead of the right time, or behind it. */
    public Event set(WallClock clock, Duration ahead) {
        clock.set(ahead);
        return note("wall-clock", Kind.CLOCK_SET);
    }

    /** Cuts all clients off from all servers; the event is later than the last packet. */
    public Event isolateClients() {
        ensemble.isolateClients();
        return note("clients", Kind.CUT);
    }

    /** Ends every cut of the network, and leaves everything else that was done to the servers as it is. */
    public Event reconnectClients() {
        ensemble.reconnect();
        return note("ensemble", Kind.HEALED);
    }

    /** Mends everything that was done to the servers. */
    public Event heal() {
        ensemble.restore();
        return note("ensemble", Kind.HEALED);
    }

    /** Lets a fault last until so long after the event: time itself is what is tested here. */
    public void lastUntil(Event event, Duration after) {
        letPass(Duration.ofNanos(event.at() + after.toNanos() - System.nanoTime()));
    }

    /** Lets so much time pass, for what can be seen nowhere. */
    public void letPass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Ends the clients as a user would; what is left then, is noted. */
    public void end() throws InterruptedException {
        proxies.heal();
        heal();
        clients.releaseAll();
        Leftovers.await(ensemble.servers(), basePath).forEach(timeline::add);
        clients.end();
    }

    /** Who says what to think of it. */
    public Evaluation evaluation() {
        return evaluation;
    }

    @Override
    public void close() {
        try {
            operators.forEach(Operator::close);
        } finally {
            clients.close();
            proxies.close();
        }
    }

    /** Writes something down as of now. */
    public Event note(String source, Kind kind, Object... fields) {
        Event event = Event.of(source, System.nanoTime(), kind, fields);
        timeline.add(event);
        return event;
    }
}
