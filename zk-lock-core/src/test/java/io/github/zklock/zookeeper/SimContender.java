package io.github.zklock.zookeeper;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.SimPlan.Waiting;
import io.github.zklock.zookeeper.SimPlan.Wish;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Somebody in a process who wants a lock, works under it and gives it back. */
final class SimContender implements Claim.Answer {

    private final SimWorld world;
    private final SimProcess process;
    private final Wish wish;
    private final int number;
    private final LockName lock;

    private @Nullable Claim claim;
    private Time.@Nullable Alarm deadline;
    private @Nullable SimHold hold;
    private long askedAt;
    private boolean engineWasConnected;
    private boolean answered;
    private boolean withdrawn;
    private boolean finished;
    private int holds;

    SimContender(SimWorld world, SimProcess process, Wish wish, int number) {
        this.world = world;
        this.process = process;
        this.wish = wish;
        this.number = number;
        this.lock = world.lock(wish.lock());
    }

    SimProcess process() {
        return process;
    }

    LockName lock() {
        return lock;
    }

    Wish wish() {
        return wish;
    }

    long askedAt() {
        return askedAt;
    }

    boolean engineWasConnected() {
        return engineWasConnected;
    }

    /** Whether it wants nothing any more. */
    boolean isFinished() {
        return finished;
    }

    boolean isWaitingForEver() {
        return claim != null && !answered && !withdrawn && wish.waiting() == Waiting.FOR_EVER;
    }

    boolean isWaiting() {
        return claim != null && !answered && !withdrawn;
    }

    boolean hasTurn() {
        return hold != null && !finished;
    }

    void ask() {
        askedAt = world.now();
        engineWasConnected = process.engine().session().connected();
        Patience patience = switch (wish.waiting()) {
            case FOR_EVER -> Patience.forever();
            case UNTIL -> new Patience(Duration.ofNanos(wish.limit()), true);
            case NOT_AT_ALL -> Patience.onlyAsking(world.connectionTimeout());
        };
        claim = new Claim(lock, patience, "contender " + number, null, process.nanoTime(), this);
        world.trace().note("ASK", process.id(), wish.waiting(), number);
        if (wish.cancelAfter() >= 0) {
            world.scheduler().after(wish.cancelAfter(), () -> process.enter(this::cancel));
        }
        process.engine().acquire(claim);
        if (patience.limit() != null && !answered) {
            long limit = Nanos.of(patience.limit());
            // a nanosecond after the deadline; by the process's own clock, as it was told
            deadline = process.clocks().after(limit + 1, () -> world.checks().deadlinePassed(this, isWaiting()));
        }
    }

    @Override
    public void granted(Turn turn) {
        if (answered || withdrawn) {
            world.violated("K9", "contender " + number + " was answered twice", null);
            return;
        }
        answered = true;
        forgetDeadline();
        holds = 1;
        hold = world.checks().granted(this, turn);
        long length = wish.abandons() ? Math.max(wish.hold(), world.abandonedUntil() - world.now()) : wish.hold();
        for (int i = 0; i < 2; i++) {
            long readAt = world.random().between(length * i / 2, length * (i + 1) / 2);
            long writeAt = world.random().between(readAt, length * (i + 1) / 2);
            SimRegister.Work work = world.register(lock).work(hold);
            world.scheduler().after(readAt, () -> process.enter(work::read));
            world.scheduler().after(writeAt, () -> process.enter(work::write));
        }
        if (wish.reenters()) {
            world.scheduler().after(length / 2, () -> process.enter(this::reenter));
        }
        world.scheduler().after(length, () -> process.enter(this::release));
    }

    @Override
    public void refused(Refusal refusal) {
        if (answered) {
            world.violated("K9", "contender " + number + " was answered twice", null);
        }
        answered = true;
        finished = true;
        forgetDeadline();
        world.checks().refused(this, refusal);
    }

    private void reenter() {
        if (finished || hold == null) {
            return;
        }
        Turn turn = hold.turn();
        Claim again = new Claim(
                lock,
                new Patience(Duration.ofNanos(world.timeout()), true),
                "contender " + number,
                null,
                process.nanoTime(),
                new Claim.Answer() {
                    @Override
                    public void granted(Turn same) {
                        world.checks().reentered(hold, same);
                        holds++;
                        if (finished) {
                            dropAll();
                        }
                    }

                    @Override
                    public void refused(Refusal refusal) {
                        world.trace().note("NOT REENTERED", process.id(), refusal.reason(), number);
                    }
                });
        process.engine().reenter(again, turn);
    }

    private void release() {
        if (!finished && hold != null) {
            finished = true;
            dropAll();
        }
    }

    private void dropAll() {
        Turn turn = hold.turn();
        world.checks().releasing(hold);
        while (holds > 0) {
            holds--;
            if (turn.dropHold()) {
                world.trace().note("RELEASE", process.id(), turn.token(), number);
                process.engine().release(turn);
            }
        }
    }

    private void cancel() {
        if (finished || claim == null) {
            return;
        }
        if (holds > 1) {
            // it has taken the turn and gone on: too late to withdraw
            release();
            return;
        }
        world.tally().hit(answered ? SimStep.WITHDRAWN_GRANTED : SimStep.WITHDRAWN_WAITING);
        world.trace().note("CANCEL", process.id(), answered, number);
        withdrawn = true;
        finished = true;
        forgetDeadline();
        if (hold != null) {
            world.checks().releasing(hold);
        }
        process.engine().cancel(claim);
    }

    private void forgetDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }
}
