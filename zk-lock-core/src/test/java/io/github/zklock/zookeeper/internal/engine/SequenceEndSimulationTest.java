package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.engine.SimRunner.Summary;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** S11 on a simulated ensemble: the numbers of a queue come to their end while many want the lock. (M7) */
class SequenceEndSimulationTest {

    private static final SimKinds KINDS = SimKinds.asked();
    private static final long FIRST_SEED = 1;

    /** The servers' numbers: all who have the same, and all who have a negative one, would take themselves for the first. */
    @Test
    @Tag("short-simulation")
    void nobodyIsGrantedTheLockBesideOthersWhereTheNumbersEnd() throws InterruptedException {
        assertThatNobodyIsGrantedTheLockBesideOthers(400);
    }

    @Test
    @Tag("long-simulation")
    void nobodyIsGrantedTheLockBesideOthersInManySchedules() throws InterruptedException {
        assertThatNobodyIsGrantedTheLockBesideOthers(4_000);
    }

    private static void assertThatNobodyIsGrantedTheLockBesideOthers(long schedules) throws InterruptedException {
        Summary summary;
        try (SimSilence engine = new SimSilence()) {
            summary =
                    new SimRunner(seed -> SimEndings.ofServers(seed, KINDS), FIRST_SEED, schedules).run(progress -> {});
            assertThat(engine.errorsBut(summary.tally().overtakenNodes)).isEmpty();
        }

        assertThat(summary.failures().stream().limit(1).map(SequenceEndSimulationTest::story))
                .isEmpty();
        // else nothing has come to its end, or nobody could have been beside anybody
        SimTally tally = summary.tally();
        assertThat(tally.count(SimFault.SEQUENCE_NEAR_END)).isGreaterThan(schedules);
        assertThat(tally.usedUp).isGreaterThan(2 * schedules);
        assertThat(tally.negativeNumbers).isGreaterThan(schedules);
        assertThat(tally.grants).isGreaterThan(schedules);
    }

    /** Our own end, well before: who is refused there, and asks again when nobody else is in the queue, is granted. */
    @Test
    @Tag("short-simulation")
    void aQueueBeginsAnewBeforeItsNumbersEnd() {
        assertThatAQueueBeginsAnew(50);
    }

    @Test
    @Tag("long-simulation")
    void aQueueBeginsAnewInManySchedules() {
        assertThatAQueueBeginsAnew(500);
    }

    private static void assertThatAQueueBeginsAnew(long schedules) {
        SimTally tally = new SimTally();
        long refusedAlone = 0;
        try (SimSilence engine = new SimSilence()) {
            for (long seed = FIRST_SEED; seed < FIRST_SEED + schedules; seed++) {
                SimWorld world = new SimWorld(SimEndings.ofOurs(seed, KINDS), false);
                SimResult result = world.run();
                tally.add(result.tally());
                if (result.violation() != null) {
                    fail(story(result));
                }
                List<SimContender> alone = SimEndings.whoAskAlone(world);
                long refused =
                        alone.stream().filter(SimContender::wasToldUsedUp).count();
                assertThat(refused)
                        .as("who asked alone and were refused, seed=" + seed)
                        .isLessThan(alone.size());
                refusedAlone += refused;
            }
            assertThat(engine.errors()).isEmpty();
        }

        assertThat(tally.usedUp).isGreaterThan(schedules);
        assertThat(tally.negativeNumbers).isZero();
        assertThat(tally.grants).isGreaterThan(2 * schedules);
        assertThat(refusedAlone).isGreaterThan(schedules / 10);
    }

    @Test
    void createsThatArriveTogetherGetNegativeNumbersAndWhoComesAloneTheLastOneAgain() {
        SimTree tree = new SimTree();
        carryOut(tree, SimRequest.silent(Kind.MAKE_FOLDER, "/queue"), 1, 0);
        SimRequest count = SimRequest.silent(Kind.COUNT, "/queue");
        count.creates = Integer.MAX_VALUE - 1;
        carryOut(tree, count, 2, 1);

        List<String> together = List.of(create(tree, 3, 2), create(tree, 4, 2), create(tree, 5, 2), create(tree, 6, 2));
        List<String> oneByOne = List.of(create(tree, 7, 6), create(tree, 8, 7));

        assertThat(together)
                .containsExactly(
                        "/queue/3-lock-2147483646",
                        "/queue/4-lock-2147483647",
                        "/queue/5-lock--2147483648",
                        "/queue/6-lock--2147483647");
        assertThat(oneByOne).containsExactly("/queue/7-lock-2147483647", "/queue/8-lock-2147483647");
    }

    /** The path of a node that is created by a leader that has carried out no more than that. */
    private static String create(SimTree tree, long zxid, long seenZxid) {
        SimTxn txn = carryOut(
                tree,
                SimRequest.of(Kind.CREATE, RecordedSession.createSeat("/queue/" + zxid + "-lock-")),
                zxid,
                seenZxid);
        return txn.changes().get(0).path();
    }

    private static SimTxn carryOut(SimTree tree, SimRequest request, long zxid, long seenZxid) {
        SimTxn txn = tree.resolve(new SimProposal(zxid, 0, null, request, null, seenZxid, 0));
        tree.apply(txn);
        return txn;
    }

    /** Shrunk, step by step. */
    private static String story(SimResult failure) {
        return String.join("\n", SimReport.story(SimShrinker.shrink(failure)));
    }
}
