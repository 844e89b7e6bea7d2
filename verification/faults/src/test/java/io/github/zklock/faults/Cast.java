package io.github.zklock.faults;

import io.github.zklock.faults.Event.Kind;

/** Those who play in most scenarios: a holder to whom something happens, and two others who use the lock all the time. */
record Cast(Scenario scenario, ClientProcess holder, ClientProcess first, ClientProcess second) {

    /** All know all servers. */
    static Cast together(Scenario scenario) {
        String servers = scenario.ensemble().connectStringWithout();
        return of(scenario, servers, servers);
    }

    /** The holder knows this server alone, and the others know all but it. */
    static Cast apart(Scenario scenario, ServerProcess server) {
        return of(scenario, server.connectString(), scenario.ensemble().connectStringWithout(server));
    }

    static Cast of(Scenario scenario, String serversOfHolder, String serversOfOthers) {
        ClientProcess holder = scenario.client("holder", serversOfHolder);
        ClientProcess first = scenario.client("first", serversOfOthers);
        ClientProcess second = scenario.client("second", serversOfOthers);
        scenario.awaitReady();
        return new Cast(scenario, holder, first, second);
    }

    /** @param how the threads of each of the others, their milliseconds and their wish */
    void loop(String how) {
        first.order("loop " + how);
        second.order("loop " + how);
    }

    /** Waits until both others have got something after the event. */
    void awaitGrants(Event event) {
        scenario.await(Kind.GRANTED, first, event.at());
        scenario.await(Kind.GRANTED, second, event.at());
    }
}
