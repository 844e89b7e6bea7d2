package io.github.zklock.faults.context;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The client processes of a scenario run. */
final class ClientProcesses implements AutoCloseable {

    private final Variant variant;
    private final String basePath;
    private final Path folder;
    private final Timeline timeline;
    private final Register register;
    private final List<ClientProcess> started = new ArrayList<>();
    // the started clients that should still run
    private final List<ClientProcess> expected = new ArrayList<>();

    /**
     * @param variant the variant of clients whose options name no engine
     * @param folder the folder of their logs
     */
    ClientProcesses(Variant variant, String basePath, Path folder, Timeline timeline) {
        this.variant = variant;
        this.basePath = basePath;
        this.folder = folder;
        this.timeline = timeline;
        this.register = new Register(timeline);
    }

    ClientProcess start(String name, String connectString, ClientOptions clientOptions) {
        Variant its = clientOptions.engine().isEmpty() ? variant : variant.with(clientOptions.engine());
        String timeout = Long.toString(clientOptions.sessionTimeout().toMillis());
        ClientProcess client = new ClientProcess(
                its, name, List.of(connectString, basePath, timeout), register.port(), clientOptions, folder, timeline);
        started.add(client);
        expected.add(client);
        return client;
    }

    void awaitReady() {
        expected.forEach(client -> await(client, Kind.READY, 0));
    }

    /** Records that the scenario ends this client. */
    void expectEnd(ClientProcess client) {
        expected.remove(client);
    }

    /**
     * Lets all clients release their locks.
     *
     * @throws AssertionError if a client has ended that should still run
     */
    void releaseAll() {
        expected.forEach(ClientProcess::requireAlive);
        long now = System.nanoTime();
        expected.forEach(client -> client.send("release-all"));
        expected.forEach(client -> await(client, Kind.ALL_RELEASED, now));
    }

    /** Ends all clients in the regular way. */
    void end() throws InterruptedException {
        expected.forEach(ClientProcess::askToEnd);
        for (ClientProcess client : expected) {
            client.awaitEnd();
        }
    }

    /** Returns what our library has logged about mistakes of its own, in clients that have ended as well. */
    List<Event> loggedMistakes() {
        return started.stream()
                .flatMap(client -> client.loggedMistakes().stream())
                .toList();
    }

    Event await(ClientProcess client, Kind kind, long after) {
        return timeline.await(kind + " of " + client.name(), after, event -> event.is(kind, client.name()));
    }

    @Override
    public void close() {
        started.forEach(ClientProcess::close);
        register.close();
    }
}
