package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockEvent;
import io.github.zklock.zookeeper.internal.local.Notifier;
import io.github.zklock.zookeeper.internal.local.Turn;

/** Hears what one engine tells. */
final class SimNotifier implements Notifier {

    private final SimWorld world;
    private final int process;

    SimNotifier(SimWorld world, int process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public void tell(LockEvent event) {
        if (event instanceof LockEvent.Suspended) {
            world.tally().lapses++;
            world.tally().hit(SimStep.SUSPENDED);
        } else if (event instanceof LockEvent.Resumed) {
            world.tally().hit(SimStep.RESUMED);
        }
        world.trace()
                .note(
                        "EVENT",
                        process,
                        event.getClass().getSimpleName(),
                        event.name().value());
    }

    @Override
    public void lost(Turn turn) {
        world.checks().lost(turn);
    }

    @Override
    public void released(Turn turn) {
        world.checks().releaseSeen(turn);
    }

    @Override
    public void releaseUnseen(Turn turn) {
        world.checks().releaseUnseen(turn);
    }
}
