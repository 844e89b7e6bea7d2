package io.github.zklock.faults.stage;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.ServerProcess;

/** Those who play in most scenarios: a holder to whom something happens, and two others who use the lock all the time. */
public record Cast(Stage stage, ClientProcess holder, ClientProcess first, ClientProcess second) {

    /** All know all servers. */
    public static Cast together(Stage stage) {
        String servers = stage.ensemble().connectStringWithout();
        return of(stage, servers, servers);
    }

    /** The holder knows this server alone, and the others know all but it. */
    public static Cast apart(Stage stage, ServerProcess server) {
        return of(stage, server.connectString(), stage.ensemble().connectStringWithout(server));
    }

    public static Cast of(Stage stage, String serversOfHolder, String serversOfOthers) {
        ClientProcess holder = stage.client("holder", serversOfHolder);
        ClientProcess first = stage.client("first", serversOfOthers);
        ClientProcess second = stage.client("second", serversOfOthers);
        stage.awaitReady();
        return new Cast(stage, holder, first, second);
    }

    /** Lets the others take the lock all the time, in all ways that its kind has. */
    public void loop() {
        stage.variant().kind().common().forEach(wish -> loop(1, wish));
    }

    /** Lets each of the others take the lock all the time, in so many threads. */
    public void loop(int threads, String wish) {
        String order = "loop " + threads + " 20 forever " + wish;
        first.order(order);
        second.order(order);
    }

    /** Waits until both others have got something after the event. */
    public void awaitGrants(Event event) {
        stage.await(Kind.GRANTED, first, event.at());
        stage.await(Kind.GRANTED, second, event.at());
    }
}
