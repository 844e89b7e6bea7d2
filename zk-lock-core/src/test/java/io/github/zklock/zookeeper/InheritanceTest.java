package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An operator who deletes what a process passes on among its own seats. */
class InheritanceTest {

    /** What is asked and answered, and has not arrived. */
    private final Queue<Runnable> way = new ArrayDeque<>();

    private final MemoryEngine engine = engineFarFromItsServers();
    private final CompletableFuture<LockHandle> first = engine.lock("/stats").acquireAsync();
    private final CompletableFuture<LockHandle> second = engine.lock("/stats").acquireAsync();
    private final CompletableFuture<LockHandle> third = engine.lock("/stats").acquireAsync();

    /**
     * The create of the second is on its way when the queue is deleted: in the new one, its number follows that of the first in
     * the old one, and somebody else is the first.
     */
    @Test
    void heirThatIsNotThereYetIsLostIfItsQueueWasDeletedAndOthersStandInFrontInTheNewOne() {
        replaceQueueWhileCreatesAreOnTheirWay();
        first.join().close();
        carryOutUntil(second);

        carryOutAll();

        assertThat(second.join().state()).isEqualTo(LockState.LOST);
        assertThat(third).isNotDone();
    }

    @Test
    void heirIsLostIfItsQueueWasDeletedAndOthersStandInFrontInTheNewOne() {
        replaceQueueWhileCreatesAreOnTheirWay();
        carryOutAll();
        assertThat(second).isNotDone();
        first.join().close();
        assertThat(second).isCompleted();

        carryOutAll();

        assertThat(second.join().state()).isEqualTo(LockState.LOST);
        assertThat(third).isNotDone();
    }

    @Test
    void heirOfAnHeirThatHasLeftMeanwhileIsLostAsWell() {
        replaceQueueWhileCreatesAreOnTheirWay();
        first.join().close();
        carryOutUntil(second);
        second.join().close();
        carryOutUntil(third);

        carryOutAll();

        assertThat(third.join().state()).isEqualTo(LockState.LOST);
        assertThat(engine.nodes()).isEqualTo(1);
    }

    @Test
    void heirOfAnHeirWhoseQueueWasDeletedIsLostAsWell() {
        carryOutAll();
        engine.replaceQueue("/stats");
        first.join().close();
        second.join().close();
        assertThat(third).isCompleted();

        carryOutAll();

        assertThat(third.join().state()).isEqualTo(LockState.LOST);
        assertThat(engine.nodes()).isEqualTo(1);
    }

    @Test
    void whoComesAfterOneWhoLeftInDoubtLooksForHimself() {
        CompletableFuture<LockHandle> fourth = engine.lock("/stats").acquireAsync();
        carryOutAll();
        engine.replaceQueue("/stats");
        first.join().close();
        second.join().close();
        int asked = way.size();
        // the answers to the two deletions, by which the third comes to be in doubt
        for (int i = 0; i < asked; i++) {
            way.remove().run();
        }

        third.join().close();
        carryOutAll();

        assertThat(fourth).isNotDone();
    }

    @Test
    void heirThatIsTheFirstAllTheSameKeepsItsTurnAndThoseBehindItFollowAtOnce() {
        carryOutAll();
        engine.deleteFirst();
        first.join().close();
        carryOutAll();
        assertThat(second.join().isHeld()).isTrue();

        second.join().close();

        assertThat(third).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    private MemoryEngine engineFarFromItsServers() {
        MemoryEngine far = new MemoryEngine(HandOff.strict(), loop -> task -> way.add(() -> loop.execute(task)));
        carryOutAll();
        return far;
    }

    private void replaceQueueWhileCreatesAreOnTheirWay() {
        carryOutUntil(first);
        engine.replaceQueue("/stats");
    }

    private void carryOutUntil(CompletableFuture<LockHandle> granted) {
        while (!granted.isDone()) {
            way.remove().run();
        }
    }

    private void carryOutAll() {
        while (!way.isEmpty()) {
            way.remove().run();
        }
    }
}
