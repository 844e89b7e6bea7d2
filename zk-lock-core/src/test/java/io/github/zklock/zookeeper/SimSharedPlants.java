package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimPlants.Edit;
import io.github.zklock.zookeeper.SimPlants.Plant;
import java.util.List;

/** Bugs of locks that several hold at once: of readers and writers, and of semaphores. */
final class SimSharedPlants {

    private static final String PERMITS_OF_THOSE_WHO_HOLD = """
                private int permitsHeldBefore(int position) {
                    int held = 0;
                    for (SeatName seat : seats.subList(0, position)) {
                        boolean fits = held + seat.demand().permits() <= seat.demand().of();
                        held += fits ? seat.demand().permits() : 0;
                    }
                    return held;
                }

                private long permitsUpTo(""";

    static final List<Plant> ALL = List.of(
            ofReaders(
                    "reader passes writers",
                    "Line.java",
                    "case READ -> nearestInTheWay;",
                    "case READ -> Optional.empty();"),
            ofReaders(
                    "turn taken without reading the queue again",
                    "Placement.java",
                    "kind == LockKind.EXCLUSIVE && line.holds(blocker)",
                    "kind != LockKind.PERMITS && line.holds(blocker)"),
            ofReaders(
                    "writer passes one who became a reader",
                    "Placement.java",
                    "kind == LockKind.EXCLUSIVE && line.holds(blocker)",
                    "kind == LockKind.WRITE && line.positionOf(seat) == 1"),
            ofReaders(
                    "writer let in beside readers",
                    "Stint.java",
                    "(demand.kind() == LockKind.READ && isReading())",
                    "isReading()"),
            ofReaders("late readers join although a writer waits", "Stint.java", "return mayServeAnother()\n", """
                    boolean joins = handOff.policy() == HandOff.Policy.BOUNDED && demand.kind() == LockKind.READ;
                            return (joins || mayServeAnother())
                    """),
            ofReaders("readers kept behind one who only reads", "SeatRow.java", "stint.seat().downgrade();", ""),
            ofReaders("downgrade by deletion and creation", "Downgrade.java", """
                    tenure.replace(
                                    folder + "/" + writer.node(),
                                    folder + "/" + reader.node(),
                                    label.on(Demand.READ),
                                    guard.of(this::answered));""", """
                    tenure.delete(folder + "/" + writer.node(), (outcome, none) -> {});
                            tenure.create(
                                    folder + "/" + SeatName.stem(reader.id(), Demand.READ),
                                    label.on(Demand.READ),
                                    guard.of((outcome, node) -> host.downgraded(SeatName.ofPath(node.path()))));"""),
            ofReaders(
                    "downgrade in doubt taken for done",
                    "Downgrade.java",
                    "case CONNECTION_LOST -> state = State.DOUBTFUL;",
                    "case CONNECTION_LOST -> done();"),
            ofReaders(
                    "seat left while it is downgraded deleted by its old name",
                    "Seat.java",
                    "departure.ofUnknownName();",
                    ""),
            ofReaders(
                    "read hold without the writer's token",
                    "Turnstile.java",
                    "new Turn(claim, own.token(),",
                    "new Turn(claim, Tokens.of(own.seat().czxid(), Tokens.MAX_TURNS - 1),"),
            ofReaders("other kinds not refused", "Placement.java", "if (mismatch != null) {", "if (false) {"),
            ofSemaphores(
                    "seats counted instead of permits",
                    "Line.java",
                    ".mapToLong(seat -> seat.demand().permits())",
                    ".mapToLong(seat -> 1)"),
            ofSemaphores(
                    "semaphore waiting on one predecessor",
                    "Placement.java",
                    "if (kind == LockKind.PERMITS && ofOurs && line.holds(blocker)) {",
                    "if (false) {"),
            ofSemaphores(
                    "next one not woken by a grant",
                    "Seat.java",
                    "if (awaited && demand.kind() == LockKind.PERMITS) {",
                    "if (false) {"),
            new Plant(
                    "small wish passes a large one",
                    SimKinds.SEMAPHORE,
                    List.of(
                            new Edit(
                                    "Line.java",
                                    "permitsUpTo(position) > demand.of()",
                                    "permitsHeldBefore(position) + demand.permits() > demand.of()"),
                            new Edit("Line.java", "    private long permitsUpTo(", PERMITS_OF_THOSE_WHO_HOLD)),
                    ""));

    private SimSharedPlants() {}

    private static Plant ofReaders(String name, String file, String snippet, String replacement) {
        return new Plant(name, SimKinds.READ_WRITE, List.of(new Edit(file, snippet, replacement)), "");
    }

    private static Plant ofSemaphores(String name, String file, String snippet, String replacement) {
        return new Plant(name, SimKinds.SEMAPHORE, List.of(new Edit(file, snippet, replacement)), "");
    }
}
