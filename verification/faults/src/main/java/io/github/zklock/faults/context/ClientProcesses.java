package io.github.zklock.faults.context;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The client processes of a stage, from their start to their end. */
final class ClientProcesses implements AutoCloseable {

    private final Variant variant;
    private final String basePath;
    private final Path folder;
    private final Timeline timeline;
    private final Register register;
    private final List<ClientProcess> started = new ArrayList<>();
    // of those that were started
    private final List<ClientProcess> expected = new ArrayList<>();

    /**
     * @param variant what they are unless their equipment says otherwise
     * @param folder of their logs
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

    /** Somebody ended it, or will: it is not expected to be there any more. */
    void expectEnd(ClientProcess client) {
        expected.remove(client);
    }

    /**
     * Lets all give back what they have.
     *
     * @throws AssertionError if one has ended of which that was not expected
     */
    void releaseAll() {
        expected.forEach(ClientProcess::requireAlive);
        long now = System.nanoTime();
        expected.forEach(client -> client.send("release-all"));
        expected.forEach(client -> await(client, Kind.RESTED, now));
    }

    /** Ends all as a user would. */
    void end() throws InterruptedException {
        expected.forEach(ClientProcess::askToEnd);
        for (ClientProcess client : expected) {
            client.awaitEnd();
        }
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
