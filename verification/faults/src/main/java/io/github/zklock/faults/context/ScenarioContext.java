package io.github.zklock.faults.context;

import io.github.zklock.faults.check.Count;
import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.cluster.CutDirection;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.FaultyDisk;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.SlowLog;
import io.github.zklock.faults.cluster.StoppedClock;
import io.github.zklock.faults.cluster.WallClock;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.SeatEventReader;
import io.github.zklock.faults.timeline.Timeline;
import io.github.zklock.fixture.Operator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
import org.assertj.core.util.Throwables;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

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
    private final FaultScenario scenario;
    private final String basePath;
    private final Ensemble ensemble;
    private final Timeline timeline = new Timeline();
    private final Register register = new Register(timeline);
    private final List<ClientProcess> clients = new ArrayList<>();
    // the started clients that should still run
    private final List<ClientProcess> expected = new ArrayList<>();
    private final List<InterceptingProxy> proxies = new ArrayList<>();
    private final QueueMonitor queues;
    private @Nullable Operator operator;

    public ScenarioContext(
            FaultScenario scenario, String name, Variant variant, long seed, Path folder, Ensemble ensemble) {
        this.scenario = scenario;
        this.variant = variant;
        this.random = new Random(seed);
        this.folder = folder;
        this.basePath = "/" + name;
        this.ensemble = ensemble;
        this.queues = new QueueMonitor(ensemble, basePath);
        discard();
        Uncheck.run(() -> Files.createDirectories(folder));
        ensemble.restore();
        note(RegisterWrite.REGISTER, Kind.READY);
    }

    public Variant variant() {
        return variant;
    }

    /** Returns the specification that excludes all other holders. */
    public String exclusive() {
        return variant.kind().exclusive();
    }

    /** Returns what the other clients acquire meanwhile, each in one or more threads. */
    public List<String> contending() {
        return variant.kind().contending();
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

    /** Starts a client that connects to all servers. It is ready after {@link #awaitReady}. */
    public ClientProcess client(String client) {
        return client(client, ClientOptions.DEFAULT);
    }

    /** Starts a client with these options that connects to all servers. */
    public ClientProcess client(String client, ClientOptions options) {
        return client(client, ensemble.connectStringWithout(), options);
    }

    /** Starts a client that connects to these servers. */
    public ClientProcess client(String client, String connectString) {
        return client(client, connectString, ClientOptions.DEFAULT);
    }

    public ClientProcess client(String name, String connectString, ClientOptions options) {
        Variant its = options.engine().isEmpty() ? variant : variant.with(options.engine());
        String timeout = Long.toString(options.sessionTimeout().toMillis());
        List<String> connection = List.of(connectString, basePath, timeout);
        ClientProcess client = new ClientProcess(its, name, connection, register.port(), options, folder, timeline);
        clients.add(client);
        expected.add(client);
        return client;
    }

    /** Starts clients with these names, and waits until they are ready. */
    public List<ClientProcess> clients(ClientOptions options, String... names) {
        List<ClientProcess> started =
                Stream.of(names).map(name -> client(name, options)).toList();
        awaitReady();
        return started;
    }

    /**
     * Returns a proxy for a client that the scenario disturbs at an exact step. Each interception is an event on the
     * timeline.
     */
    public InterceptingProxy proxy(String client, List<ServerProcess> servers) {
        InterceptingProxy proxy = new InterceptingProxy(
                servers.stream().map(ServerProcess::connectString).toList(),
                (interception, request) -> note(
                        proxyOf(client),
                        interception.cuts() ? Kind.DISCONNECTED : Kind.DELAYED,
                        "phase request path",
                        interception.phase(),
                        request.name(),
                        request.path()));
        proxies.add(proxy);
        return proxy;
    }

    /** Returns the source of the events of a client's proxy. */
    public static String proxyOf(String client) {
        return "proxy-of-" + client;
    }

    public void awaitReady() {
        expected.forEach(client -> await(Kind.READY, client, 0));
    }

    public Event await(String what, long after, Predicate<Event> matching) {
        return timeline.await(what, after, matching);
    }

    public long count(Predicate<Event> matching) {
        return timeline.count(matching);
    }

    /** Waits for the first event of this kind of a client after an instant. */
    public Event await(Kind kind, ClientProcess client, long after) {
        return timeline.await(kind + " of " + client.name(), after, event -> event.is(kind, client.name()));
    }

    /** Waits until the handle of a client answers so. */
    public Event awaitHeld(ClientProcess client, boolean held, long after) {
        return timeline.await(
                "an answer of " + client.name() + "'s handle: held=" + held,
                after,
                event -> event.is(Kind.SAMPLE, client.name()) && event.flag("held") == held);
    }

    /** Waits until a client other than this one is granted the lock. */
    public Event awaitGrantToOthers(ClientProcess client, long after) {
        return timeline.await(
                "a grant to others than " + client.name(),
                after,
                event -> event.is(Kind.GRANTED) && !event.source().equals(client.name()));
    }

    /** Returns how often clients other than this one were granted the lock between two instants. */
    public long grantsToOthers(ClientProcess client, long from, long until) {
        return count(event -> event.is(Kind.GRANTED)
                && !event.source().equals(client.name())
                && event.at() > from
                && event.at() < until);
    }

    /** Waits until a client is granted what this specification names. */
    public Event awaitGrantOf(String spec, long after) {
        return timeline.await(
                "a grant of " + spec,
                after,
                event -> event.is(Kind.GRANTED) && event.text("spec").equals(spec));
    }

    /** Waits until this client is granted a lock with this end of its name or specification. */
    public Event awaitGrantOf(String end, ClientProcess client, long after) {
        return timeline.await(
                "a grant of " + end + " to " + client.name(),
                after,
                event -> event.is(Kind.GRANTED, client.name())
                        && event.text("spec").endsWith(end));
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

    /** Waits for a condition that no event reports. */
    public static void until(String what, Callable<Boolean> condition) {
        until(what, Duration.ofMillis(50), condition);
    }

    /** Waits for a condition that no event reports, and looks this often. */
    public static void until(String what, Duration between, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(MAX_WAIT).pollInterval(between).until(condition);
    }

    /** Waits for a latch; returns false if it does not open in time. */
    public static boolean awaitOpen(CountDownLatch latch) {
        try {
            return latch.await(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** Returns a client that changes nodes without holding the lock, as an operator can. Closed with this context. */
    public Operator operator() {
        if (operator == null) {
            operator = new Operator(ensemble.connectStringWithout());
        }
        return operator;
    }

    /** Waits for a seat of this session in the queue of a lock, and lets the operator delete it. */
    public Event deleteSeat(String lock, String session) {
        long owner = Long.parseUnsignedLong(session, 16);
        String deleted = Awaitility.await("a seat of session " + session + " at " + lock)
                .atMost(MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> seats(lock).stream()
                                .filter(seat -> operator().owner(seat) == owner
                                        && operator().deleteIfThere(seat))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        return note("operator", Kind.DELETED, "node", deleted);
    }

    /** Returns the paths of the seats in the queue of a lock, lowest number first. */
    public List<String> seats(String lock) {
        String folder = queues.folderOf(lock);
        return operator().children(folder).stream()
                .filter(node -> node.matches(".*\\d{10}"))
                .sorted(Comparator.comparing(node -> node.substring(node.length() - 10)))
                .map(node -> folder + "/" + node)
                .toList();
    }

    /** Sends a command to a client, and waits for the first event of this kind after it. */
    public Event send(ClientProcess client, String command, Kind kind) {
        long now = System.nanoTime();
        client.send(command);
        return await(kind, client, now);
    }

    /** Lets a client acquire the lock exclusively and keep it. */
    public Event hold(ClientProcess client) {
        return hold(client, exclusive());
    }

    /** Lets a client acquire what this specification names, and keep it. */
    public Event hold(ClientProcess client, String spec) {
        return send(client, "hold " + spec, Kind.GRANTED);
    }

    /** Lets a client request the lock exclusively, and waits until the queues contain this many seats. */
    public void queue(ClientProcess client, int seats) {
        client.send("hold " + exclusive());
        queues.awaitSeats(seats);
    }

    /** Lets a client release the lock that it keeps. */
    public Event release(ClientProcess client) {
        return send(client, "release", Kind.CLOSED);
    }

    /** Lets a client release the lock that it keeps, and checks the result of the release. */
    public Event release(ClientProcess client, String result) {
        Event released = release(client);
        if (!released.text("result").equals(result)) {
            throw new AssertionError("The result of a release should be '" + result + "': " + released);
        }
        return released;
    }

    /** Waits until a client is granted the lock, and lets it release the lock; returns the grant. */
    public Event awaitTurn(ClientProcess client, long after) {
        Event granted = await(Kind.GRANTED, client, after);
        release(client);
        return granted;
    }

    /** Lets clients acquire the lock exclusively one after the other, and release it. */
    public void holdInTurn(ClientProcess... inTurn) {
        for (ClientProcess client : inTurn) {
            hold(client);
            release(client);
        }
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

    /** Pauses a client for this long, and resumes it; the event is earlier than its next step. */
    public Event pauseFor(ClientProcess client, Duration time) {
        lastUntil(pause(client), time);
        return resume(client);
    }

    /** Kills a client; the event is later than its last step. */
    public Event kill(ClientProcess client) {
        expected.remove(client);
        client.kill();
        return note(client.name(), Kind.KILLED);
    }

    /** Lets a client that is not needed release its locks and end; the event is earlier than both. */
    public Event dismiss(ClientProcess client) {
        expected.remove(client);
        Event event = note(client.name(), Kind.CLOSING);
        client.askToEnd();
        client.awaitEnd();
        return event;
    }

    /** Sends SIGTERM to a client; the event is earlier than its reaction. */
    public Event terminate(ClientProcess client) {
        expected.remove(client);
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
        server.close();
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
        FaultyDisk.slow(server.folder(), time);
        return note(server.name(), Kind.DISK_SLOWED);
    }

    /** Makes each commit of a server fail. */
    public Event fullDisk(ServerProcess server) {
        FaultyDisk.fill(server.folder());
        return note(server.name(), Kind.DISK_FILLED);
    }

    /** Makes each line of a server's log about a session that expires take this long. */
    public Event slowLog(ServerProcess server, Duration time) {
        SlowLog.slow(server.folder(), time);
        return note(server.name(), Kind.LOG_SLOWED);
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

    /**
     * Ends all faults and all clients, and records what is left on the servers.
     *
     * @throws AssertionError if a client has ended that should still run
     */
    public void end() throws InterruptedException {
        proxies.forEach(InterceptingProxy::heal);
        heal();
        expected.forEach(ClientProcess::requireAlive);
        long now = System.nanoTime();
        expected.forEach(client -> client.send("release-all"));
        expected.forEach(client -> await(Kind.ALL_RELEASED, client, now));
        Leftovers.await(ensemble.servers(), basePath).forEach(timeline::add);
        expected.forEach(ClientProcess::askToEnd);
        expected.forEach(ClientProcess::awaitEnd);
        clients.forEach(client -> client.loggedMistakes().forEach(timeline::add));
    }

    /** Applies all rules to a completed run. */
    public Verdict evaluate() {
        SeatEventReader.add(ensemble, basePath, timeline);
        Map<Count, Integer> minimums = Map.of(
                Count.GRANTS, scenario.grants(),
                Count.HAND_OVERS, scenario.handOvers(),
                Count.TOGETHER, scenario.together(),
                Count.LOSSES, scenario.losses(),
                Count.REFUSED, variant.kind() == Variant.Kind.SEMAPHORE ? 0 : scenario.refused(),
                Count.FAULTS, scenario.faults());
        return new Verdict(minimums, timeline);
    }

    /** Applies the rules that also hold on an incomplete timeline to a run that broke off. */
    public Verdict evaluatePart() {
        SeatEventReader.add(ensemble, basePath, timeline);
        return Verdict.ofPart(timeline);
    }

    /**
     * Keeps the events and the logs of all processes.
     *
     * @param failure the reason, if the run broke off
     */
    public void keep(Optional<Throwable> failure) {
        timeline.write(folder.resolve("events.log"));
        for (ServerProcess server : ensemble.servers()) {
            Path copy = folder.resolve(server.name() + ".log");
            Uncheck.run(() -> Files.copy(server.log(), copy, StandardCopyOption.REPLACE_EXISTING));
        }
        failure.map(Throwables::getStackTrace)
                .ifPresent(trace -> Uncheck.run(() -> Files.writeString(folder.resolve("failure.txt"), trace)));
    }

    /** Deletes all that {@link #keep} would keep. */
    public void discard() {
        Uncheck.run(() -> FileUtils.deleteDirectory(folder.toFile()));
    }

    @Override
    public void close() {
        try {
            if (operator != null) {
                operator.close();
            }
        } finally {
            clients.forEach(ClientProcess::close);
            register.close();
            proxies.forEach(InterceptingProxy::close);
        }
    }

    /** Adds an event to the timeline, as of now. */
    public Event note(String source, Kind kind) {
        return timeline.add(Event.of(source, System.nanoTime(), kind));
    }

    /** Adds an event with fields to the timeline, as of now. */
    public Event note(String source, Kind kind, String keys, Object... values) {
        return timeline.add(Event.of(source, System.nanoTime(), kind, keys, values));
    }
}
