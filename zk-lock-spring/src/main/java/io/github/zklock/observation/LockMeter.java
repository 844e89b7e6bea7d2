package io.github.zklock.observation;

/** The names and descriptions of the meters. Each meter has the tag {@code registry}. */
enum LockMeter {
    ACQUISITIONS("zklock.acquisitions", "Time from the request for a lock to its outcome"),
    HOLDS("zklock.holds", "Time for which released locks were held"),
    LOSSES("zklock.losses", "Locks lost by their holders"),
    SUSPENSIONS("zklock.suspensions", "Times that a held lock was suspended because its session was not proven"),
    LONG_HOLDS("zklock.long.holds", "Locks held for longer than the warning threshold"),
    LEAKS("zklock.leaks", "Handles that became unreachable without having been closed"),
    DEADLOCKS("zklock.deadlocks", "Requests of this process that were part of a deadlock"),
    TURNS("zklock.turns", "Grants, by whether they used a new seat or a kept one"),
    HELD("zklock.held", "Locks held at present"),
    WAITING("zklock.waiting", "Waits at present"),
    CONNECTED("zklock.session.connected", "Whether there is a connection to ZooKeeper: 1 or 0"),
    REMAINING("zklock.session.remaining", "Time for which the session is proven to be alive"),
    RENEWALS("zklock.session.renewals", "Renewals of the proof that the session is alive"),
    SEAT_BYTES("zklock.session.seat.bytes", "Bytes that the nodes of the session take when it is closed"),
    SEAT_BUDGET(
            "zklock.session.seat.budget",
            "Limit of the bytes that the nodes of the session may take; 0 if there is none");

    final String key;
    final String description;

    LockMeter(String key, String description) {
        this.key = key;
        this.description = description;
    }
}
