package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Downgrade;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Wish;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Somebody in a process who wants a lock, works under it and gives it back. */
final class SimContender implements Claim.Answer {

    private static final long ROUNDING = 1_000;

    private final SimWorld world;
    private final SimProcess process;
    private final Wish wish;
    private final int number;
    private final LockName lock;

    /** With which it is asked for together, if it is. */
    private @Nullable SimContender before;

    private @Nullable SimContender behind;

    private @Nullable Claim claim;
    private Time.@Nullable Alarm deadline;
    private @Nullable SimGrip grip;
    /** A writer's turn to read. */
    private @Nullable SimGrip reading;

    private long finishedAt;
    private long askedAt;
    private boolean engineWasConnected;
    private int replacementsBefore;
    private boolean answered;
    private boolean toldUsedUp;
    private boolean withdrawn;
    private boolean finished;
    private @Nullable Reason refusedFor;
    private @Nullable Duration limit;

    SimContender(SimWorld world, SimProcess process, Wish wish, int number) {
        this.world = world;
        this.process = process;
        this.wish = wish;
        this.number = number;
        this.lock = world.lock(wish.lock());
    }

    /** Asks for its lock together with that of another one, which asks first. */
    void askBehind(SimContender first) {
        before = first;
        first.behind = this;
    }

    boolean isBehindAnother() {
        return before != null;
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

    Demand demand() {
        return wish.demand();
    }

    /** Whether it asked, waited or held at this instant or later. */
    boolean wasThereSince(long instant) {
        return claim != null && (!finished || finishedAt >= instant);
    }

    boolean engineWasConnected() {
        return engineWasConnected;
    }

    /** Whether the engine that it asked was replaced, after an error that was planted. */
    boolean sawReplacement() {
        return process.replacements() > replacementsBefore;
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

    /** Whether it was refused as the numbers of its queue had come to their end. */
    boolean wasToldUsedUp() {
        return toldUsedUp;
    }

    /** What became of it. */
    String ending() {
        boolean lost = grip != null && grip.hold().toldLost;
        return refusedFor == null ? (grip == null ? "nothing" : lost ? "lost" : "granted") : refusedFor.name();
    }

    boolean hasTurn() {
        return grip != null && !finished;
    }

    void ask() {
        if (before != null) {
            // it was asked with that one
            return;
        }
        List<Claim> others = new ArrayList<>(0);
        Claim first = begin();
        for (SimContender other = behind; other != null; other = other.behind) {
            others.add(other.begin());
        }
        process.ask(first, others);
        for (SimContender each = this; each != null; each = each.behind) {
            each.armDeadline();
        }
    }

    private Claim begin() {
        askedAt = world.now();
        engineWasConnected = process.engine().session().connected();
        replacementsBefore = process.replacements();
        Patience patience = switch (wish.waiting()) {
            case FOR_EVER -> Patience.forever();
            case UNTIL -> new Patience(Duration.ofNanos(wish.limit()), true);
            case NOT_AT_ALL -> Patience.onlyAsking(world.connectionTimeout());
        };
        Claim asked = claim(wish.demand(), patience, process.errors().outside(Claim.Answer.class, this));
        claim = asked;
        limit = patience.limit();
        if (before != null) {
            asked.setBehind(before.claim);
        }
        world.trace().note("ASK", process.id(), wish.waiting(), number);
        if (wish.cancelAfter() >= 0) {
            world.scheduler().after(wish.cancelAfter(), () -> process.enter(this::cancel));
        }
        asked.setPolicy(process.policy());
        return asked;
    }

    private void armDeadline() {
        if (limit != null && !answered) {
            // a moment after the deadline, as a drifting clock is read in whole nanoseconds; by the process's own, as
            // it was told
            deadline = process.clocks().after(Nanos.of(limit) + ROUNDING, this::deadlinePassed);
        }
    }

    @Override
    public void granted(Turn turn) {
        if (grip != null && turn == grip.turn()) {
            // told again, as an Error came before the engine knew that it was told
            return;
        }
        if (answered || withdrawn) {
            world.violated("K9", "contender " + number + " was answered twice", null);
            return;
        }
        if (before != null) {
            world.tally().hit(SimStep.GRANT_BEHIND_ANOTHER);
            if (before.grip == null) {
                world.violated("ALL", "contender " + number + " was granted, and not the one before it", null);
            }
        }
        answered = true;
        forgetDeadline();
        world.noteGrant(number);
        SimHold hold = world.checks().granted(this, turn);
        grip = new SimGrip(world, hold, number);
        long length = wish.abandons() ? Math.max(wish.hold(), world.abandonedUntil() - world.now()) : wish.hold();
        if (wish.reenters()) {
            world.scheduler().after(length / 2, () -> process.enter(this::reenter));
        }
        if (wish.downgrade() == Downgrade.NONE) {
            work(hold, length);
        } else {
            work(hold, length * 2 / 3);
            world.scheduler().after(length / 3, () -> process.enter(() -> readToo(length / 3)));
            world.scheduler().after(length * 2 / 3, () -> process.enter(() -> giveOneBack(length / 3)));
        }
        world.scheduler().after(length, () -> process.enter(this::release));
    }

    @Override
    public void refused(Refusal refusal) {
        if (answered && sawReplacement()) {
            // told again, or instead of a grant that was told: an Error came before the engine knew that
            return;
        }
        if (answered) {
            world.violated("K9", "contender " + number + " was answered twice", null);
        }
        answered = true;
        refusedFor = refusal.reason();
        toldUsedUp = SimRefusals.isUsedUp(refusal);
        finish();
        forgetDeadline();
        world.checks().refused(this, refusal);
    }

    @Override
    public boolean hasArrived() {
        return answered;
    }

    @Override
    public String asker() {
        return "contender " + number;
    }

    /** Makes use of what is locked, twice. */
    private void work(SimHold hold, long length) {
        for (int i = 0; i < 2; i++) {
            long readAt = world.random().between(length * i / 2, length * (i + 1) / 2);
            long writeAt = world.random().between(readAt, length * (i + 1) / 2);
            SimRegister.Work work = world.register(lock).work(hold);
            world.scheduler().after(readAt, () -> process.enter(work::read));
            world.scheduler().after(writeAt, () -> process.enter(work::write));
        }
    }

    private void reenter() {
        SimGrip own = grip;
        if (finished || own == null || own.times() == 0) {
            return;
        }
        again(wish.demand(), own, same -> {
            world.checks().reentered(own.hold(), same);
            own.again();
            if (finished) {
                own.drop();
            }
        });
    }

    private void readToo(long length) {
        SimGrip own = grip;
        if (finished || own == null) {
            return;
        }
        long asked = world.now();
        Claim toRead = again(Demand.READ, own, turn -> {
            reading = new SimGrip(world, world.checks().downgraded(own.hold(), turn, asked), number);
            if (finished) {
                reading.drop();
            }
        });
        if (world.random().chance(0.1)) {
            long later = world.random().between(0, length);
            world.scheduler().after(later, () -> process.enter(() -> readNoMore(toRead)));
        }
    }

    private void deadlinePassed() {
        // the engine's own alarm may go off behind this one at the same instant: after a pause, or where the engine was
        // replaced and armed it later
        process.clocks().after(1_000_000, () -> world.checks().deadlinePassed(this, isWaiting()));
    }

    /** Thinks better of reading, whether it may already or not yet. */
    private void readNoMore(Claim toRead) {
        if (!finished) {
            world.trace().note("CANCEL", process.id(), "reading", number);
            world.tally().hit(SimStep.WITHDRAWN_READING);
            if (reading == null) {
                process.onLoop(keeper -> keeper.cancel(toRead));
            } else {
                reading.withdraw(toRead);
            }
        }
    }

    private void giveOneBack(long length) {
        if (finished || grip == null || reading == null || reading.times() == 0) {
            return;
        }
        if (wish.downgrade() == Downgrade.WRITE_FIRST) {
            world.tally().hit(SimStep.WRITE_GIVEN_BACK_FIRST);
            grip.drop();
            work(reading.hold(), length);
        } else {
            world.tally().hit(SimStep.READ_GIVEN_BACK_FIRST);
            reading.drop();
        }
    }

    private Claim again(Demand demand, SimGrip own, Consumer<Turn> then) {
        Claim.Answer answer = new Claim.Answer() {
            @Override
            public void granted(Turn turn) {
                then.accept(turn);
            }

            @Override
            public void refused(Refusal refusal) {
                world.trace().note("NOT REENTERED", process.id(), refusal.reason(), number);
            }

            @Override
            public boolean hasArrived() {
                return true;
            }

            @Override
            public String asker() {
                return SimContender.this.asker();
            }
        };
        Patience patience = new Patience(Duration.ofNanos(world.timeout()), true);
        Claim again = claim(demand, patience, process.errors().outside(Claim.Answer.class, answer));
        again.setReentryOf(own.turn());
        process.ask(again, List.of());
        return again;
    }

    private Claim claim(Demand demand, Patience patience, Claim.Answer answer) {
        return new Claim(lock, demand, patience, null, process.nanoTime(), answer);
    }

    private void release() {
        if (!finished && grip != null) {
            finish();
            grip.drop();
            if (reading != null) {
                reading.drop();
            }
        }
    }

    private void cancel() {
        if (finished || claim == null) {
            return;
        }
        if (grip != null && (grip.times() != 1 || reading != null)) {
            // it has taken the turn and gone on: too late to withdraw
            release();
            return;
        }
        world.tally().hit(answered ? SimStep.WITHDRAWN_GRANTED : SimStep.WITHDRAWN_WAITING);
        world.trace().note("CANCEL", process.id(), answered, number);
        withdrawn = true;
        finish();
        forgetDeadline();
        if (grip != null) {
            world.checks().releasing(grip.hold());
        }
        process.onLoop(keeper -> keeper.cancel(claim));
    }

    private void finish() {
        finished = true;
        finishedAt = world.now();
    }

    private void forgetDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }
}
