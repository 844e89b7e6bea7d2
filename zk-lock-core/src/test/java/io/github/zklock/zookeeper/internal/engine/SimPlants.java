package io.github.zklock.zookeeper.internal.engine;

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
            "Seat.java",
            "deletions.begin(deletion);\n            owner.gone(this, reason);",
            "owner.gone(this, reason);");

    /** Hides that a listing was sent too early: it is asked for again. */
    private static final Edit PLACED_BY_ANY_LISTING =
            new Edit("LocalQueue.java", "used.listing() > watch().lastListed();", "used.listing() > 0;");

    private static final Edit NO_SYNC_BEFORE_LOOKUP =
            new Edit("Seat.java", "session.listCommitted(folder(), reply)", "session.list(folder(), reply)");

    /** Those of exclusive locks, and of what all kinds rest on. */
    private static final List<Plant> EXCLUSIVE = List.of(
            // fresh ids and departures hide it, so they go, too
            new Plant(
                    "no owner check",
                    List.of(
                            new Edit(
                                    "Seat.java", "node != null && node.owner() == session.sessionId()", "node != null"),
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
                    "Deletions.java",
                    "on.listCommitted(deletion.folder(), ",
                    "on.list(deletion.folder(), "),
            // the sync hides it: it is the second line of defence
            new Plant(
                    "no sibling deletion",
                    List.of(
                            NO_SYNC_BEFORE_LOOKUP,
                            new Edit("Seat.java", "deletions.beginStray(folder(), sibling, session, false);", ""))),
            new Plant(
                    "sequence number as token",
                    "SeatUse.java",
                    "Tokens.of(seat.czxid(), seat.place() + given)",
                    "Tokens.of(seat.name().sequence() + 1, given)"),
            new Plant(
                    "seats of one transaction with one token",
                    "SeatUse.java",
                    "Tokens.of(seat.czxid(), seat.place() + given)",
                    "Tokens.of(seat.czxid(), given)"),
            new Plant(
                    "place forgotten with the answer",
                    "Seat.java",
                    "private void lookUp() {",
                    "private void lookUp() { place = 0;"),
            new Plant(
                    "granted although the lock before was not",
                    "Claim.java",
                    "return before == null || before.state == State.GRANTED;",
                    "return true;"),
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
                    "QueueWatch.java",
                    "if (!certain && !isLive()) {",
                    "if (false) {"),
            new Plant(
                    "any event taken for a deletion",
                    "QueueWatch.java",
                    "if (event == Event.NODE_DELETED) {",
                    "if (event != null) {"),
            new Plant("watch not set again", "QueueWatch.java", "} else {\n                arm();\n            }", "}"),
            new Plant(
                    "grant without validity",
                    "LocalQueue.java",
                    "if (!seat.session().isValid(context.time().nanoTime())) {",
                    "if (false) {"),
            new Plant(
                    "ended session taken for alive",
                    "PinnedSession.java",
                    "liveness() != Liveness.ENDED\n                && ",
                    ""),
            new Plant(
                    "release reported before it is gone",
                    "LocalQueue.java",
                    ".ifPresent(turn -> deletion.observe(context.announcer().releaseOf(turn)));",
                    ".ifPresent(context.announcer()::releaseConfirmed);"),
            new Plant(
                    "live by a listing before the watch",
                    "QueueWatch.java",
                    "tree == Tree.ARMED && treeSet && number >= treeListing",
                    "tree == Tree.ARMED"),
            new Plant(
                    "seats added to a view that is not live",
                    "QueueWatch.java",
                    "if (tree == Tree.LIVE && !leaving.contains(seat.id())) {",
                    "if (!leaving.contains(seat.id())) {"),
            new Plant(
                    "live view kept over a lost connection",
                    List.of(
                            new Edit(
                                    "QueueWatch.java",
                                    "armTree();\n        } else if (firstWaiting",
                                    "} else if (firstWaiting"),
                            new Edit(
                                    "QueueWatch.java",
                                    "public void connectionLost() {\n        current = false;",
                                    "public void connectionLost() {"),
                            new Edit(
                                    "QueueWatch.java",
                                    "connectionLost();\n            armTree();\n            return;",
                                    "return;"))),
            new Plant(
                    "deletion of a seat not told by a live view",
                    "QueueWatch.java",
                    "            owner.deleted(seat);\n        }\n        if (!ended",
                    "        }\n        if (!ended"),
            new Plant(
                    "nobody watched after a live view",
                    "QueueWatch.java",
                    "endTree();\n            watchFronts();",
                    "endTree();"),
            new Plant(
                    "watch of a folder asked for again after its end",
                    "QueueWatch.java",
                    "dropTreeQuestion();\n            session.unwatchTree(folder, treeWatch);",
                    "session.unwatchTree(folder, treeWatch);"),
            new Plant(
                    "listing sent before the create",
                    List.of(
                            PLACED_BY_ANY_LISTING,
                            new Edit("GroupCommit.java", "if (waitingIn.containsKey(folder)) {", "if (false) {"))),
            new Plant(
                    "failure of a transaction taken for that of each write",
                    "GroupCommit.java",
                    "leaveOneByOne();\n                depart();",
                    "writes.forEach(written -> written.reply().answered(outcome, done)); depart();"),
            new Plant(
                    "listing behind a transaction that failed counts",
                    List.of(PLACED_BY_ANY_LISTING, new Edit("GroupCommit.java", "if (failed) {", "if (false) {"))),
            new Plant("departure forgotten after session end", List.of(FORGOTTEN_AFTER_SESSION)),
            new Plant(
                    "departure not attempted again",
                    "Deletions.java",
                    "List.copyOf(pending).forEach(deletion -> attempt(deletion, next));",
                    ""),
            new Plant(
                    "seat kept after timeout and cancel",
                    "Seat.java",
                    "} else {\n                deletions.begin(deletion);\n            }\n        }\n        return deletion;",
                    "}\n        }\n        return deletion;"),
            new Plant(
                    "text order instead of numbers",
                    "SeatName.java",
                    "return sequence < other.sequence ? -1 : 1;",
                    "return node.compareTo(other.node);"),
            new Plant(
                    "loss not told",
                    List.of(
                            new Edit("LocalQueue.java", "context.lost(lost, reason);", ""),
                            new Edit("LocalQueue.java", "turns.forEach(turn -> context.lost(turn, reason));", ""))),
            new Plant(
                    "no renewal after the first",
                    "Renewal.java",
                    "pendingChunks--;\n        if (committed",
                    "if (committed"),
            new Plant(
                    "held locks given away by a close",
                    "LocalQueue.java",
                    "if (held == OnClose.RELEASE_HELD) {",
                    "if (held != null) {"),
            new Plant(
                    "seats beyond what a session may have",
                    "LocalQueue.java",
                    "if (!connected.budget().admits(bytes, budget)) {",
                    "if (bytes < 0) {"),
            new Plant(
                    "seat created anew before the deletion is answered",
                    "Seat.java",
                    "replace(own.get(0));",
                    "deletions.beginStray(folder(), own.get(0), session, false);\n                    create();"),
            new Plant(
                    "lost seats behind those of newcomers",
                    "StrictPlan.java",
                    "waiting.stream().filter(missing::contains).toList()",
                    "List.copyOf(missing)"),
            new Plant("seat that has gone counted for ever", "Deletion.java", "session.budget().giveBack(bytes);", ""),
            new Plant(
                    "session closed before the last holder",
                    "Engine.java",
                    "whenRemoved.run();\n                tellIfQuiet();",
                    "whenRemoved.run();\n                whenQuiet.run();"),
            new Plant("deleted seat not noticed", "Renewal.java", "failed.vanished(\"its node was deleted\");", ""),
            new Plant(
                    "deadline ignored while disconnected",
                    "LocalQueue.java",
                    "        if (!claim.isOpen()) {\n            return;\n        }\n        boolean owner",
                    "        if (!claim.isOpen() || context.keeper().connected().isEmpty()) {\n"
                            + "            return;\n        }\n        boolean owner"),
            new Plant(
                    "outage told as contention",
                    "LocalQueue.java",
                    "isConnected() && (ahead() > 0 || occupancy().keepsWaiting(claim))",
                    "true"),
            new Plant(
                    "suspended machine not noticed",
                    "SessionKeeper.java",
                    "current.proof().clockFellBehind(drift, time.nanoTime());",
                    ""),
            new Plant(
                    "try refused by a seat that only lingers",
                    "Askers.java",
                    "} else if (IdleSeats.mayAdmit(view, demand)) {",
                    "} else if (false) {"),
            new Plant("lingering seat not marked", "SeatUse.java", "seat.markIdle(true);", ""),
            new Plant(
                    "not listed again after a reconnect",
                    "QueueWatch.java",
                    "fronts.values().forEach(Front::arm);\n            look();",
                    ""));

    /**
     * Too rare for the simulation: a difference of T/5 is needed in a schedule that goes wrong by chance alone. Real processes
     * find it, and {@code PinnedSessionTest}.
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
