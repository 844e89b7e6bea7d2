package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;

/** One turn in the hands of a contender, who may have it several times and gives it back as often. */
final class SimGrip {

    private final SimWorld world;
    private final SimHold hold;
    private final int contender;
    private int times = 1;

    SimGrip(SimWorld world, SimHold hold, int contender) {
        this.world = world;
        this.hold = hold;
        this.contender = contender;
    }

    SimHold hold() {
        return hold;
    }

    Turn turn() {
        return hold.turn();
    }

    int times() {
        return times;
    }

    void again() {
        times++;
    }

    /** Gives it back by withdrawing the claim that it was granted to. */
    void withdraw(Claim claim) {
        if (times > 0) {
            times = 0;
            world.checks().releasing(hold);
            hold.process().onLoop(keeper -> keeper.cancel(claim));
        }
    }

    /** Gives all of it back. */
    void drop() {
        if (times == 0) {
            return;
        }
        world.checks().releasing(hold);
        for (; times > 0; times--) {
            if (turn().dropHold()) {
                world.trace().note("RELEASE", hold.process().id(), turn().token(), contender);
                hold.process().onLoop(keeper -> keeper.engine().release(turn()));
            }
        }
    }
}
