package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;

/**
 * The clients of most scenarios: a holder that a fault affects, and two others that acquire the lock again and again.
 */
public record ThreeClients(ScenarioContext context, ClientProcess holder, ClientProcess first, ClientProcess second) {

    /** All clients connect to all servers. */
    public static ThreeClients together(ScenarioContext context) {
        String servers = context.ensemble().connectStringWithout();
        return of(context, servers, servers);
    }

    /** The holder connects to this server only, the others to the other servers. */
    public static ThreeClients apart(ScenarioContext context, ServerProcess server) {
        return of(context, server.connectString(), context.ensemble().connectStringWithout(server));
    }

    public static ThreeClients of(ScenarioContext context, String serversOfHolder, String serversOfOthers) {
        ClientProcess holder = context.client("holder", serversOfHolder);
        ClientProcess first = context.client("first", serversOfOthers);
        ClientProcess second = context.client("second", serversOfOthers);
        context.awaitReady();
        return new ThreeClients(context, holder, first, second);
    }

    /** Lets the two others acquire the lock again and again, in each mode of its kind. */
    public void loop() {
        context.variant().kind().contending().forEach(spec -> loop(1, spec));
    }

    /** Lets each of the two others acquire the lock again and again, in this many threads. */
    public void loop(int threads, String spec) {
        String command = "loop " + threads + " 20 forever " + spec;
        first.send(command);
        second.send(command);
    }

    /** Waits until each of the two others has been granted the lock after the event. */
    public void awaitGrants(Event event) {
        context.await(Kind.GRANTED, first, event.at());
        context.await(Kind.GRANTED, second, event.at());
    }
}
