package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.List;

/**
 * The clients of most scenarios: a holder that a fault affects, and two others that acquire the lock again and again.
 */
public record ThreeClients(ScenarioContext context, ClientProcess holder, ClientProcess first, ClientProcess second) {

    /** All clients connect to all servers. */
    public static ThreeClients together(ScenarioContext context) {
        return of(context, context.ensemble().connectStringWithout());
    }

    /** The holder connects to this server only, the others to the other servers. */
    public static ThreeClients apart(ScenarioContext context, ServerProcess server) {
        ClientProcess holder = context.client("holder", server.connectString());
        return of(context, holder, context.ensemble().connectStringWithout(server));
    }

    /** The holder connects to these servers, the others to all. */
    public static ThreeClients of(ScenarioContext context, String serversOfHolder) {
        ClientProcess holder = context.client("holder", serversOfHolder);
        return of(context, holder, context.ensemble().connectStringWithout());
    }

    private static ThreeClients of(ScenarioContext context, ClientProcess holder, String servers) {
        ThreeClients clients =
                new ThreeClients(context, holder, context.client("first", servers), context.client("second", servers));
        context.awaitReady();
        return clients;
    }

    public List<ClientProcess> all() {
        return List.of(holder, first, second);
    }

    /** Lets the two others acquire the lock again and again, in each mode of its kind. */
    public void loop() {
        context.contending().forEach(spec -> loop(1, spec));
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
