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

/**
 * What a scenario works with: an ensemble, client processes, and the faults that it can cause. Each fault is an event
 * on the timeline.
 */
public final class ScenarioContext implements AutoCloseable {

    /** The session timeout of all clients. */
    public static final Duration T = Ensemble.SESSION_TIMEOUT;

    /** The longest time for which a scenario waits for an event. */
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

    public Variant variant() {
        return variant;
    }

    /** Returns the source of random choices; the same seed gives the same choices. */
    public Random random() {
        return random;
    }

    public Ensemble ensemble() {
        return ensemble;
    }

    public Timeline timeline() {
        return timeline;
    }

    public QueueMonitor queues() {
        return queues;
    }

    /** Returns a folder for the files of further processes. */
    public Path folder() {
        return folder;
    }

    /** Starts a client that connects to these servers. It is ready after {@link #awaitReady}. */
    public ClientProcess client(String client, String connectString) {
        return client(client, connectString, ClientOptions.DEFAULT);
    }

    /** Starts a client with these options. */
    public ClientProcess client(String client, String connectString, ClientOptions clientOptions) {
        return clients.start(client, connectString, clientOptions);
    }

    /** Returns a proxy for a client that the scenario disturbs at an exact step. */
    public InterceptingProxy proxy(String client, List<ServerProcess> servers) {
        return proxies.open(client, servers);
    }

    public void awaitReady() {
        clients.awaitReady();
    }

    /** Waits for the first event of this kind of a client after an instant. */
    public Event await(Kind kind, ClientProcess client, long after) {
        return clients.await(client, kind, after);
    }

    /** Waits until a client other than this one is granted the lock. */
    public Event awaitGrantToOthers(ClientProcess client, long after) {
        return timeline.await(
                "a grant to others than " + client.name(),
                after,
                event -> event.is(Kind.GRANTED) && !event.source().equals(client.name()));
    }

    /** Waits until a client is granted what this specification names. */
    public Event awaitGrantOf(String spec, long after) {
        return timeline.await(
                "a grant of " + spec,
                after,
                event -> event.is(Kind.GRANTED) && event.text("spec").equals(spec));
    }

    /** Waits for the answer to a call. */
    public Event awaitAnswer(Event asked) {
        return timeline.await(
                "an answer to " + asked.source(),
                asked.at(),
                event -> event.source().equals(asked.source()) && event.kind().isAnswer());
    }

    /** Waits until the loss of this grant is reported. */
    public Event awaitLossOf(Event granted) {
        return awaitOfHold(Kind.LOST, "the loss of ", granted);
    }

    /** Waits until this grant has ended. */
    public Event awaitEndOf(Event granted) {
        return awaitOfHold(Kind.CLOSED, "the end of ", granted);
    }

    private Event awaitOfHold(Kind kind, String what, Event granted) {
        return timeline.await(
                what + granted,
                granted.at(),
                event -> event.is(kind, granted.source()) && event.text("hold").equals(granted.text("hold")));
    }

    /** Returns a client that changes nodes without holding the lock. It is closed with this context. */
    public Operator operator() {
        Operator operator = new Operator(ensemble.connectStringWithout(), basePath);
        operators.add(operator);
        return operator;
    }

    /** Lets a client acquire the lock exclusively and keep it. */
    public Event hold(ClientProcess client) {
        return hold(client, variant.kind().exclusive());
    }

    /** Lets a client acquire what this specification names, and keep it. */
    public Event hold(ClientProcess client, String spec) {
        long now = System.nanoTime();
        client.send("hold " + spec);
        return await(Kind.GRANTED, client, now);
    }

    /** Lets a client release the lock that it keeps. */
    public Event release(ClientProcess client) {
        long now = System.nanoTime();
        client.send("release");
        return await(Kind.CLOSED, client, now);
    }

    /** Pauses a client; the event is later than its last step. */
    public Event pause(ClientProcess client) {
        client.pause();
        return note(client.name(), Kind.PAUSED);
    }

    /** Resumes a client; the event is earlier than its next step. */
    public Event resume(ClientProcess client) {
        Event event = note(client.name(), Kind.RESUMED);
        client.resume();
        return event;
    }

    /** Kills a client; the event is later than its last step. */
    public Event kill(ClientProcess client) throws InterruptedException {
        clients.expectEnd(client);
        client.kill();
        return note(client.name(), Kind.KILLED);
    }

    /** Lets a client that is not needed release its locks and end; the event is earlier than both. */
    public Event dismiss(ClientProcess client) throws InterruptedException {
        clients.expectEnd(client);
        Event event = note(client.name(), Kind.CLOSING);
        client.askToEnd();
        client.awaitEnd();
        return event;
    }

    /** Sends SIGTERM to a client; the event is earlier than its reaction. */
    public Event terminate(ClientProcess client) throws InterruptedException {
        clients.expectEnd(client);
        Event event = note(client.name(), Kind.CLOSING);
        client.terminate();
        return event;
    }

    /** Disrupts the ZooKeeper client of a client process; the event is earlier than the disruption. */
    public Event disrupt(ClientProcess client, Disruption disruption) {
        Event event = note(client.name(), Kind.DISRUPTED, "how", disruption);
        client.send("disrupt " + disruption);
        return event;
    }

    public Event pause(ServerProcess server) {
        server.pause();
        return note(server.name(), Kind.PAUSED);
    }

    /** Resumes a paused server; all other faults continue. */
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

    /** Isolates a server from the other servers, not from its clients. */
    public Event isolate(ServerProcess server) {
        return isolate(server, CutDirection.BOTH);
    }

    /** Isolates a server from the other servers in one direction. */
    public Event isolate(ServerProcess server, CutDirection direction) {
        ensemble.isolate(server, direction);
        return note(server.name(), Kind.CUT);
    }

    /** Makes each commit of a server take this long. */
    public Event slowDisk(ServerProcess server, Duration time) {
        server.slowDisk(time);
        return note(server.name(), Kind.DISK_SLOWED);
    }

    /** Makes each commit of a server fail. */
    public Event fullDisk(ServerProcess server) {
        server.fullDisk();
        return note(server.name(), Kind.DISK_FILLED);
    }

    /** Restarts all servers with further JVM options, until the next {@link #heal}. */
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

    /** Returns a wall clock that can be set, for clients that start with it. */
    public WallClock wallClock() {
        return WallClock.in(folder)
                .orElseThrow(() -> new ScenarioSkippedException(
                        "there is no libfaketime to set a client's clock with: apt-get install faketime"));
    }

    /** Returns clocks that can stand still while their process is paused, for clients that start with them. */
    public StoppedClock stoppedClock() {
        return StoppedClock.in(folder)
                .orElseThrow(() -> new ScenarioSkippedException(
                        "there is no C compiler to build a client's clock with: apt-get install gcc libc6-dev"));
    }

    /** Resumes a client whose clocks stood still while it was paused. */
    public Event resume(ClientProcess client, StoppedClock clock, Event paused) {
        long now = System.nanoTime();
        clock.standStill(paused.at(), now);
        note(client.name(), Kind.CLOCKS_STOPPED, "nanos", now - paused.at());
        return resume(client);
    }

    /** Sets a wall clock ahead of the right time, or behind it. */
    public Event set(WallClock clock, Duration ahead) {
        clock.set(ahead);
        return note("wall-clock", Kind.CLOCK_SET);
    }

    /** Cuts all clients off from all servers; the event is later than the last packet. */
    public Event isolateClients() {
        ensemble.isolateClients();
        return note("clients", Kind.CUT);
    }

    /** Ends every cut of the network; all other faults continue. */
    public Event reconnectClients() {
        ensemble.reconnect();
        return note("ensemble", Kind.HEALED);
    }

    /** Ends all faults of servers and network. */
    public Event heal() {
        ensemble.restore();
        return note("ensemble", Kind.HEALED);
    }

    /** Waits until this long after an event: the length of the fault is what the scenario tests. */
    public void lastUntil(Event event, Duration after) {
        letPass(Duration.ofNanos(event.at() + after.toNanos() - System.nanoTime()));
    }

    /** Waits for this long, where no event can be awaited. */
    public void letPass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Ends all faults and all clients, and records what is left on the servers. */
    public void end() throws InterruptedException {
        proxies.heal();
        heal();
        clients.releaseAll();
        Leftovers.await(ensemble.servers(), basePath).forEach(timeline::add);
        clients.end();
        clients.loggedMistakes().forEach(timeline::add);
    }

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

    /** Adds an event to the timeline, as of now. */
    public Event note(String source, Kind kind, Object... fields) {
        Event event = Event.of(source, System.nanoTime(), kind, fields);
        timeline.add(event);
        return event;
    }
}
