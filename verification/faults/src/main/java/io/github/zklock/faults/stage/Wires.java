package io.github.zklock.faults.stage;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.rig.Wiretap;
import java.util.ArrayList;
import java.util.List;

/** The ways to the servers of those clients that are disturbed at an exact step; each writes down what it did. */
public final class Wires implements AutoCloseable {

    private final Timeline timeline;
    private final List<Wiretap> wiretaps = new ArrayList<>();

    Wires(Timeline timeline) {
        this.timeline = timeline;
    }

    /** The source of what is written down for a client. */
    public static String of(ClientProcess client) {
        return of(client.name());
    }

    private static String of(String client) {
        return "wire-of-" + client;
    }

    Wiretap open(String client, List<ServerProcess> servers) {
        Wiretap wiretap = new Wiretap(
                servers.stream().map(ServerProcess::connectString).toList(),
                (trap, request) -> timeline.add(Event.of(
                        of(client),
                        System.nanoTime(),
                        trap.cuts() ? Kind.SEVERED : Kind.DELAYED,
                        "phase",
                        trap.phase(),
                        "request",
                        request.name(),
                        "path",
                        request.path())));
        wiretaps.add(wiretap);
        return wiretap;
    }

    void heal() {
        wiretaps.forEach(Wiretap::heal);
    }

    @Override
    public void close() {
        wiretaps.forEach(Wiretap::close);
    }
}
