package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Edit;
import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.util.List;

/** Bugs of locks that several hold at once: of readers and writers, and of semaphores. */
final class SimSharedPlants {

    static final List<Plant> ALL = List.of(
            ofReaders(
                    "reader passes writers",
                    "QueueView.java",
                    "seat.demand(), permits <= smallest)) {",
                    "seat.demand(), permits <= smallest) && seat.demand().kind() != LockKind.READ) {"),
            ofReaders(
                    "seat passes a writer who became a reader",
                    "QueueWatch.java",
                    "if (gone.demand().kind() != LockKind.WRITE) {",
                    "if (!ended) {"),
            ofReaders(
                    "writer's deletion believed before the view is live",
                    "QueueWatch.java",
                    "if (tree != Tree.LIVE && seat.demand().kind() == LockKind.WRITE) {",
                    "if (ended) {"),
            ofReaders(
                    "writer's node deleted before the reader's is created",
                    "WireSession.java",
                    "new Change.CreateEphemeral(replacement, data), new Change.Delete(path)",
                    "new Change.Delete(path), new Change.CreateEphemeral(replacement, data)"),
            ofReaders(
                    "seat that becomes a reader's taken for deleted",
                    "LocalQueue.java",
                    "if (used != null && used.seat().path() != null) {",
                    "if (used != null) {"),
            ofReaders(
                    "writer let in beside readers",
                    "SeatUse.java",
                    "(demand.kind() == LockKind.READ && isReading())",
                    "isReading()"),
            ofReaders("late readers join although a writer waits", "SeatUse.java", "return mayServeAnother()\n", """
                    boolean joins = handOff.policy() == HandOff.Policy.BOUNDED && demand.kind() == LockKind.READ;
                            return (joins || mayServeAnother())
                    """),
            ofReaders("readers kept behind one who only reads", "LocalQueue.java", "head.seat().downgrade();", ""),
            ofReaders("downgrade by deletion and creation", "Downgrade.java", """
                    session.replace(
                                    folder + "/" + writer.node(),
                                    folder + "/" + reader.node(),
                                    label.on(Demand.READ),
                                    (outcome, none) -> answered(outcome));""", """
                    session.delete(folder + "/" + writer.node(), (outcome, none) -> {});
                            session.create(
                                    new io.github.zklock.zookeeper.internal.transport.Change.CreateSeat(
                                            folder + "/" + SeatName.stem(reader.id(), Demand.READ), label.on(Demand.READ)),
                                    (outcome, node) -> owner.downgraded(SeatName.ofPath(node.path())));"""),
            ofReaders(
                    "downgrade in doubt taken for done",
                    "Downgrade.java",
                    "case CONNECTION_LOST, UNKNOWN ->",
                    "case CONNECTION_LOST -> done();\n            case UNKNOWN ->"),
            ofReaders(
                    "seat left while it is downgraded deleted by its old name",
                    "Seat.java",
                    "deletion.ofUnknownName();",
                    ""),
            ofReaders(
                    "read hold without the writer's token",
                    "LocalQueue.java",
                    "new Turn(claim, own.token(),",
                    "new Turn(claim, Tokens.of(own.seat().czxid(), Tokens.MAX_TURNS - 1),"),
            ofReaders("other kinds not refused", "LocalQueue.java", "if (mismatch != null) {", "if (false) {"),
            ofSemaphores(
                    "seats counted instead of permits",
                    "QueueView.java",
                    "permits += seat.demand().permits();",
                    "permits += 1;"),
            ofSemaphores(
                    "semaphore waiting on one predecessor",
                    "QueueView.java",
                    "if (permits > smallest || !other",
                    "if (true || !other"),
            ofSemaphores(
                    "small wish passes a large one",
                    "QueueView.java",
                    "seat.demand(), permits <= smallest)) {\n                break;",
                    "seat.demand(), permits <= smallest)) {\n                permits -= seat.demand().permits(); continue;"),
            ofSemaphores(
                    "own number of permits counts alone",
                    "QueueView.java",
                    "permits <= smallest)",
                    "permits <= seat.demand().of())"),
            ofSemaphores(
                    "first number of permits counts",
                    "QueueView.java",
                    "permits <= smallest)",
                    "permits <= seats.first().demand().of())"));

    private SimSharedPlants() {}

    private static Plant ofReaders(String name, String file, String snippet, String replacement) {
        return new Plant(name, SimKinds.READ_WRITE, List.of(new Edit(file, snippet, replacement)), "");
    }

    private static Plant ofSemaphores(String name, String file, String snippet, String replacement) {
        return new Plant(name, SimKinds.SEMAPHORE, List.of(new Edit(file, snippet, replacement)), "");
    }
}
