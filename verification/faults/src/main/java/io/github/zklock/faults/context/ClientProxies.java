package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/** The proxies of clients that a scenario disturbs at an exact step. Each interception is an event on the timeline. */
public final class ClientProxies implements AutoCloseable {

    private final Timeline timeline;
    private final List<InterceptingProxy> proxies = new ArrayList<>();

    ClientProxies(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Returns the source of the events of a client's proxy. */
    public static String sourceOf(ClientProcess client) {
        return sourceOf(client.name());
    }

    private static String sourceOf(String client) {
        return "proxy-of-" + client;
    }

    InterceptingProxy open(String client, List<ServerProcess> servers) {
        InterceptingProxy proxy = new InterceptingProxy(
                servers.stream().map(ServerProcess::connectString).toList(),
                (interception, request) -> timeline.add(Event.of(
                        sourceOf(client),
                        System.nanoTime(),
                        interception.cuts() ? Kind.DISCONNECTED : Kind.DELAYED,
                        "phase",
                        interception.phase(),
                        "request",
                        request.name(),
                        "path",
                        request.path())));
        proxies.add(proxy);
        return proxy;
    }

    void heal() {
        proxies.forEach(InterceptingProxy::heal);
    }

    @Override
    public void close() {
        proxies.forEach(InterceptingProxy::close);
    }
}
