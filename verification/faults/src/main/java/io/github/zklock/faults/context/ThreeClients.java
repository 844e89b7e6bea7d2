package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;

/** Those who play in most scenarios: a holder to whom something happens, and two others who use the lock all the time. */
public record ThreeClients(ScenarioContext context, ClientProcess holder, ClientProcess first, ClientProcess second) {

    /** All know all servers. */
    public static ThreeClients together(ScenarioContext context) {
        String servers = context.ensemble().connectStringWithout();
        return of(context, servers, servers);
    }

    /** The holder knows this server alone, and the others know all but it. */
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

    /** Lets the others take the lock all the time, in all ways that its kind has. */
    public void loop() {
        context.variant().kind().contending().forEach(spec -> loop(1, spec));
    }

    /** Lets each of the others take the lock all the time, in so many threads. */
    public void loop(int threads, String spec) {
        String command = "loop " + threads + " 20 forever " + spec;
        first.send(command);
        second.send(command);
    }

    /** Waits until both others have got something after the event. */
    public void awaitGrants(Event event) {
        context.await(Kind.GRANTED, first, event.at());
        context.await(Kind.GRANTED, second, event.at());
    }
}
