package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Edit;
import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.util.List;

/** Bugs of what is concluded from the answers of servers: that a session lives, that a node is gone, that a write was seen. */
final class SimProofPlants {

    /** It deletes in time what these bugs leave behind: it is the second line of defence. */
    private static final Edit NO_SWEEP =
            new Edit("Engine.java", "Isolated.run(() -> keeper.connected().ifPresent(orphans::tick));", "");

    static final List<Plant> ALL = List.of(
            // M26
            ofProof(
                    "touches trusted while a bucket is closed",
                    "return !isValid(now) && provisionallyUntil - now <= 0;",
                    "return false;"),
            ofProof(
                    "connection taken for made when it is noticed",
                    "noticed = heard.isPresent() && attemptedAfter.isPresent() ? new Heard(heard.getAsLong(), now) : null;",
                    "heard.ifPresent(this::extendProvisionally);"),
            ofProof(
                    "suspect session proven by any write",
                    "(suspectUntil.isEmpty() || sentAt - suspectUntil.getAsLong() >= 0)",
                    "true"),
            // M27
            new Plant(
                    "timeout read once",
                    List.of(
                            new Edit("SessionProof.java", "if (timeoutNanos < timeout) {", "if (false) {"),
                            new Edit("PinnedSession.java", "wire.timeoutNanos() >= proof.timeoutNanos()", "true"))),
            // M32
            ofProof("no margin", "return timeout - timeout / 12;", "return timeout;"),
            new Plant(
                    "long suspensions not noticed",
                    "ClockWatch.java",
                    "private static final int UNNOTICED = 24;",
                    "private static final int UNNOTICED = 2;"),
            // M33
            new Plant(
                    "another session taken for the same",
                    "PinnedSession.java",
                    "return wire.currentId() == wire.id() ? seen : Liveness.ENDED;",
                    "return seen;"),
            // L25
            new Plant(
                    "sync taken for a commit",
                    List.of(
                            new Edit(
                                    "PinnedSession.java",
                                    "check(List.of(path), (outcome, missing) -> committed",
                                    "sync(path, (outcome, none) -> committed"),
                            NO_SWEEP)),
            new Plant(
                    "list counts although the check before it does not",
                    List.of(
                            new Edit(
                                    "PinnedSession.java",
                                    "if (outcome.isUnknown() || committed.get()) {",
                                    "if (true) {"),
                            NO_SWEEP)),
            new Plant(
                    "more turns than a transaction has tokens",
                    "SeatUse.java",
                    " && given < Tokens.MAX_TURNS && ",
                    " && "),
            new Plant(
                    "reconnection not noticed without a loss",
                    "SessionKeeper.java",
                    "if (state == State.CONNECTED && current.hasMoved()) {",
                    "if (false) {"));

    private SimProofPlants() {}

    private static Plant ofProof(String name, String snippet, String replacement) {
        return new Plant(name, "SessionProof.java", snippet, replacement);
    }
}
