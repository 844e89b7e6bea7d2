package io.github.zklock.faults;

import io.github.zklock.faults.Event.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** The stage of one test: an ensemble, client processes around one lock, things to be done to them, and their judge. */
final class Scenario implements AutoCloseable {

    /** The session timeout of all clients. */
    static final Duration T = Duration.ofSeconds(3);

    /** Set to true to keep what happened in scenarios that passed, too. */
    private static final String KEEP = "faults.keep";

    private static final String EVENTS = "events.log";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FaultScenario scenario;
    private final String name;
    private final Path folder;
    private final String basePath;
    private final Ensemble ensemble;
    private final Timeline timeline = new Timeline();
    private final List<ClientProcess> clients = new ArrayList<>();
    private final long began = System.nanoTime();

    Scenario(FaultScenario scenario, String name, Path parent, Ensemble ensemble) {
        this.scenario = scenario;
        this.name = name;
        this.folder = parent.resolve(scenario.value() + "-" + name);
        this.basePath = "/" + name;
        this.ensemble = ensemble;
        Ensemble.deleteRecursively(folder);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ensemble.restore();
    }

    Ensemble ensemble() {
        return ensemble;
    }

    Timeline timeline() {
        return timeline;
    }

    /** Starts a client that knows these servers. It is there once {@link #awaitReady} has returned. */
    ClientProcess client(String client, String connectString) {
        ClientProcess process = new ClientProcess(client, connectString, basePath, T, folder, timeline);
        clients.add(process);
        return process;
    }

    void awaitReady() {
        clients.forEach(client -> await(Kind.READY, client, 0));
    }

    /** Waits for the first such event of a client after an instant. */
    Event await(Kind kind, ClientProcess client, long after) {
        return timeline.await(kind + " of " + client.name(), after, event -> event.is(kind, client.name()));
    }

    /** Waits until anybody but this client is granted the lock. */
    Event awaitGrantToOthers(ClientProcess client, long after) {
        return timeline.await(
                "a grant to others than " + client.name(),
                after,
                event -> event.is(Kind.GRANTED) && !event.source().equals(client.name()));
    }

    /** Waits until anybody has this wish granted. */
    Event awaitGrantOf(String wish, long after) {
        return timeline.await(
                "a grant of " + wish,
                after,
                event -> event.is(Kind.GRANTED) && event.text("wish").equals(wish));
    }

    /** Waits until so many seats stand in the queue. */
    void awaitSeats(int count) {
        Awaitility.await(count + " seats")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ensemble.seats() == count);
    }

    /** Lets a client take the exclusive lock and keep it. */
    Event hold(ClientProcess client) {
        return hold(client, "exclusive");
    }

    /** Lets a client have this wish granted and keep what it gets. */
    Event hold(ClientProcess client, String wish) {
        long now = System.nanoTime();
        client.order("hold " + wish);
        return await(Kind.GRANTED, client, now);
    }

    /** Lets a client that keeps the lock give it back. */
    Event release(ClientProcess client) {
        long now = System.nanoTime();
        client.order("release");
        return await(Kind.CLOSED, client, now);
    }

    /** Stops a client; the event is later than its last step. */
    Event pause(ClientProcess client) {
        client.pause();
        return note(client.name(), Kind.PAUSED);
    }

    /** Lets a client go on; the event is earlier than its next step. */
    Event resume(ClientProcess client) {
        Event event = note(client.name(), Kind.RESUMED);
        client.resume();
        return event;
    }

    /** Ends a client without a word; the event is later than its last step. */
    Event kill(ClientProcess client) throws InterruptedException {
        clients.remove(client);
        client.kill();
        return note(client.name(), Kind.KILLED);
    }

    Event pause(ServerProcess server) {
        server.pause();
        return note(server.name(), Kind.PAUSED);
    }

    Event kill(ServerProcess server) {
        server.kill();
        return note(server.name(), Kind.KILLED);
    }

    Event isolate(ServerProcess server) {
        ensemble.isolate(server);
        return note(server.name(), Kind.CUT);
    }

    /** Mends everything that was done to the servers. */
    Event heal() {
        ensemble.restore();
        return note("ensemble", Kind.HEALED);
    }

    /** Lets a fault last until so long after the event: time itself is what is tested here. */
    void lastUntil(Event event, Duration after) {
        long end = event.at() + after.toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Ends the clients as a user would, and applies all rules to what happened. */
    void judge() throws InterruptedException {
        ensemble.restore();
        clients.forEach(ClientProcess::askToEnd);
        for (ClientProcess client : clients) {
            client.awaitEnd();
        }
        awaitSeats(0);
        ServerRecords.add(ensemble.leader(), basePath, timeline);
        Verdict verdict = new Verdict(Floors.of(scenario), timeline);
        System.out.printf("%s %s: %s, %.1f s%n", scenario.value(), name, verdict, seconds());
        if (!verdict.passed()) {
            throw new AssertionError(verdict.describe());
        }
        close();
        if (Boolean.getBoolean(KEEP)) {
            timeline.write(folder.resolve(EVENTS));
        } else {
            Ensemble.deleteRecursively(folder);
        }
    }

    /** Keeps what happened. */
    Throwable failed(Throwable failure) throws IOException {
        timeline.write(folder.resolve(EVENTS));
        for (ServerProcess server : ensemble.servers()) {
            Files.copy(server.log(), folder.resolve(server.name() + ".log"), StandardCopyOption.REPLACE_EXISTING);
        }
        System.out.printf("%s %s: FAILED, see %s: %s%n", scenario.value(), name, folder, failure.getMessage());
        return failure;
    }

    @Override
    public void close() {
        clients.forEach(ClientProcess::close);
    }

    private Event note(String source, Kind kind) {
        Event event = Event.of(source, System.nanoTime(), kind);
        timeline.add(event);
        return event;
    }

    private double seconds() {
        return (System.nanoTime() - began) / 1e9;
    }
}
