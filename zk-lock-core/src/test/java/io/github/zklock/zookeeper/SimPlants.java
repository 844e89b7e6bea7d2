package io.github.zklock.zookeeper;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Bugs that the simulation must find. Each is a change of the engine's source, made in memory only: the snippet must
 * stand in the file exactly once, so that a plant which no longer fits is noticed.
 */
final class SimPlants {

    /**
     * What is changed, and where.
     *
     * @param kinds the schedules in which it must be found
     * @param symptom what the violation must speak of, where several things are wrong at once
     */
    record Plant(String name, SimKinds kinds, List<Edit> edits, String symptom) {
        Plant(String name, List<Edit> edits, String symptom) {
            this(name, SimKinds.EXCLUSIVE, edits, symptom);
        }

        Plant(String name, List<Edit> edits) {
            this(name, edits, "");
        }

        Plant(String name, String file, String snippet, String replacement) {
            this(name, List.of(new Edit(file, snippet, replacement)));
        }

        /** The name as one word, for a command line. */
        String id() {
            return name.toLowerCase(Locale.ROOT).replace("'", "").replaceAll("[^a-z0-9]+", "-");
        }
    }

    /** @param file in the engine's package */
    record Edit(String file, String snippet, String replacement) {}

    private static final Edit FORGOTTEN_AFTER_SESSION = new Edit(
            "Entry.java", "state = State.ABANDONED;\n        departures.begin(departure);", "state = State.ABANDONED;");

    private static final Edit NO_SYNC_BEFORE_LOOKUP =
            new Edit("Entry.java", "tenure.listCommitted(folder(), ", "tenure.list(folder(), ");

    /** Those of exclusive locks, and of what all kinds rest on. */
    private static final List<Plant> EXCLUSIVE = List.of(
            // fresh ids and departures hide it, so they go, too
            new Plant(
                    "no owner check",
                    List.of(
                            new Edit(
                                    "Entry.java", "node != null && node.owner() == tenure.sessionId()", "node != null"),
                            FORGOTTEN_AFTER_SESSION,
                            new Edit(
                                    "Engine.java",
                                    "ids.next().toString()",
                                    "idsOfFolders.computeIfAbsent(folder, absent -> ids.next()).toString()"),
                            new Edit(
                                    "Engine.java",
                                    "private boolean closed;",
                                    "private boolean closed; private final Map<String, java.util.UUID> idsOfFolders = new HashMap<>();")),
                    "of session"),
            new Plant("no sync before the lookup", List.of(NO_SYNC_BEFORE_LOOKUP)),
            new Plant(
                    "no sync before the search",
                    "Departures.java",
                    "on.listCommitted(departure.folder(), ",
                    "on.list(departure.folder(), "),
            // the sync hides it: it is the second line of defence
            new Plant(
                    "no sibling deletion",
                    List.of(NO_SYNC_BEFORE_LOOKUP, new Edit("Placement.java", "deleteSiblings(line, seat);", ""))),
            new Plant(
                    "sequence number as token",
                    "Stint.java",
                    "Tokens.of(seat.czxid(), given)",
                    "Tokens.of(seat.name().sequence() + 1, given)"),
            new Plant(
                    "bound from the last commit",
                    "SessionProof.java",
                    "extendUntil(provisionallyUntil);\n        }",
                    "extendUntil(sentAt + lifetime());\n        }"),
            new Plant(
                    "bound from reads",
                    "SessionProof.java",
                    "remember(sentAt, now);\n    }",
                    "remember(sentAt, now);\n        extendUntil(sentAt + lifetime());\n    }"),
            new Plant(
                    "no own check after a shortcut grant",
                    "Placement.java",
                    "found) -> {\n            if (outcome == Outcome.NO_NODE) {",
                    "found) -> {\n            if (false) {"),
            new Plant(
                    "any event taken for a deletion",
                    "FrontWatch.java",
                    "guard.run(over ? this::gone : this::arm);",
                    "guard.run(this::gone);"),
            new Plant(
                    "watch not set again",
                    "FrontWatch.java",
                    "guard.run(over ? this::gone : this::arm);",
                    "guard.run(over ? this::gone : () -> {});"),
            new Plant(
                    "grant without validity",
                    "Turnstile.java",
                    "if (!seat.session().isValid(context.time().nanoTime())) {",
                    "if (false) {"),
            new Plant(
                    "ended session taken for alive",
                    "PinnedSession.java",
                    "liveness() != Liveness.ENDED\n                && ",
                    ""),
            new Plant(
                    "release reported before it is gone",
                    "SeatRow.java",
                    ".ifPresent(turn -> departure.observe(context.announcer().releaseOf(turn)));",
                    ".ifPresent(context.announcer()::released);"),
            new Plant(
                    "heir not asked for",
                    "Convoy.java",
                    "tenure.deleteAll(paths, next, ",
                    "tenure.deleteAll(paths, List.of(), "),
            new Plant(
                    "heir of one that was not the head",
                    "Seat.java",
                    "leftAtHead = phase == Phase.AT_HEAD && ",
                    "leftAtHead = "),
            new Plant(
                    "neighbours by the order in which they were asked for",
                    "Seat.java",
                    "before.name.sequence() + 1 == node.sequence()",
                    "before.name.sequence() < node.sequence()"),
            new Plant(
                    "heir of a deleted seat not told",
                    "Seat.java",
                    "(L19)\n                if (next != null) {",
                    "(L19)\n                if (false) {"),
            new Plant(
                    "heir of a deletion that failed not told",
                    List.of(
                            new Edit("Convoy.java", "Isolated.run(heirs.get(place)::isMissing);", ""),
                            new Edit("Convoy.java", "Isolated.forEach(heirs, Heir::isInDoubt);", ""))),
            new Plant(
                    "those who wait to go together forgotten",
                    "Convoy.java",
                    "if (underWay == 0 && !waiting.isEmpty()) {",
                    "if (false) {"),
            new Plant(
                    "first behind one that gave up",
                    "Seat.java",
                    "} else if (isNext && before.leftAtHead) {",
                    "} else if (isNext) {"),
            new Plant(
                    "waiter behind one that gives up not told",
                    "Seat.java",
                    "} else if (next != null) {\n                    next.mayInherit();",
                    "} else if (false) {\n                    next.mayInherit();"),
            new Plant("departure forgotten after session end", List.of(FORGOTTEN_AFTER_SESSION)),
            new Plant(
                    "departure not attempted again",
                    "Departures.java",
                    "Isolated.forEach(pending, departure -> attempt(departure, connected));",
                    ""),
            new Plant(
                    "seat kept after timeout and cancel",
                    "Entry.java",
                    "} else {\n            departures.begin(departure);",
                    "} else {"),
            new Plant(
                    "text order instead of numbers",
                    "Line.java",
                    "comparingLong(SeatName::sequence)",
                    "java.util.Comparator.comparing(SeatName::node)"),
            new Plant(
                    "loss not told",
                    List.of(
                            new Edit("Turnstile.java", "Isolated.run(() -> context.lost(lost, reason));", ""),
                            new Edit(
                                    "SeatRow.java",
                                    "Isolated.forEach(turns, turn -> context.lost(turn, reason));",
                                    ""))),
            new Plant(
                    "no renewal after the first",
                    "Renewal.java",
                    "pendingChunks--;\n        if (committed",
                    "if (committed"),
            new Plant(
                    "held locks given away by a close",
                    "Engine.java",
                    "held == OnClose.KEEP_HELD ? Turnstile::closeUnheld : Turnstile::close",
                    "Turnstile::close"),
            new Plant(
                    "seats beyond what a session may have",
                    "SeatRow.java",
                    "if (tenure.budget().admits(bytes, context.settings().seatBudget())) {",
                    "if (bytes > 0) {"),
            new Plant("seat that has gone counted for ever", "Departure.java", "tenure.budget().giveBack(bytes);", ""),
            new Plant(
                    "session closed before the last holder",
                    "Engine.java",
                    "whenRemoved.run();\n                tellIfQuiet();",
                    "whenRemoved.run();\n                whenQuiet.run();"),
            new Plant("deleted seat not noticed", "Renewal.java", "failed.vanished(\"its node was deleted\");", ""),
            new Plant(
                    "deadline ignored while disconnected",
                    "Turnstile.java",
                    "        if (!claim.isOpen()) {\n            return;\n        }\n        boolean owner",
                    "        if (!claim.isOpen() || context.keeper().connected().isEmpty()) {\n"
                            + "            return;\n        }\n        boolean owner"),
            new Plant(
                    "outage told as contention",
                    "Turnstile.java",
                    "isConnected() && (seats.ahead() > 0 || occupancy().keepsWaiting(claim))",
                    "true"),
            new Plant(
                    "suspended machine not noticed",
                    "SessionKeeper.java",
                    "current.proof().clockFellBehind(drift, time.nanoTime());",
                    ""),
            new Plant(
                    "try refused by a seat that only lingers",
                    "Askers.java",
                    "} else if (IdleSeats.mayAdmit(line, demand)) {",
                    "} else if (false) {"),
            new Plant("lingering seat not marked", "Stint.java", "seat.markIdle(true);", ""),
            new Plant(
                    "not listed again after a reconnect",
                    "Placement.java",
                    "} else if (!front.isOfThisProcess()) {",
                    "} else if (false) {"));

    /**
     * Too rare for the simulation: a difference of T/5 is needed in a schedule that goes wrong by chance alone. Real processes
     * find it, and {@code TenureTest}.
     */
    static final List<Plant> OF_REAL_PROCESSES = List.of(new Plant(
            "receive time in the proof",
            "PinnedSession.java",
            "proof.answered(sentAt, time",
            "proof.answered(time.nanoTime(), time"));

    /** Those that the simulation has to find. */
    static final List<Plant> ALL = Stream.of(EXCLUSIVE, SimProofPlants.ALL, SimSharedPlants.ALL)
            .flatMap(List::stream)
            .toList();

    private SimPlants() {}
}
