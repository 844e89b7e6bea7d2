package io.github.zklock.console;

import io.github.zklock.LockEvent;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last five minutes of a registry, folded into {@value #LONGEST} buckets, and its last losses. How many locks are
 * held and awaited is looked up when somebody asks, and at events, at most once a second.
 *
 * <p>Not guaranteed: that every event is counted. A listener that is too slow loses some.
 */
final class LockHistory implements LockListener {

    static final int LONGEST = 60;
    static final long STEP_MILLIS = 5000;

    private static final int MOST_LOSSES = 20;
    private static final long SAMPLE_MILLIS = 1000;

    private final LockInspector inspector;
    private final InstantSource clock;
    private final Deque<Bucket> buckets = new ArrayDeque<>();
    private final Deque<StateReport.Loss> losses = new ArrayDeque<>();
    // guards: buckets, losses, sampledAt
    private final ReentrantLock lock = new ReentrantLock();

    private long sampledAt;

    LockHistory(LockInspector inspector, InstantSource clock) {
        this.inspector = inspector;
        this.clock = clock;
    }

    @Override
    public void onEvent(LockEvent event) {
        lock.lock();
        try {
            long now = clock.millis();
            current(now).add(event);
            if (event instanceof LockEvent.Lost lost) {
                losses.addFirst(
                        new StateReport.Loss(lost.name().value(), lost.token().toString(), lost.reason(), now));
                if (losses.size() > MOST_LOSSES) {
                    losses.removeLast();
                }
            }
            if (Math.abs(now - sampledAt) >= SAMPLE_MILLIS) {
                sample(now, inspector.held().size(), inspector.awaited().size());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The points, oldest first, of which the last one stands as told here. */
    List<StateReport.Point> points(int held, int waiting) {
        lock.lock();
        try {
            sample(clock.millis(), held, waiting);
            List<StateReport.Point> points = new ArrayList<>();
            for (long at = buckets.getLast().at() - (LONGEST - 1) * STEP_MILLIS;
                    at < buckets.getFirst().at();
                    at += STEP_MILLIS) {
                points.add(new Bucket(at, 0, 0).point());
            }
            buckets.forEach(bucket -> points.add(bucket.point()));
            return points;
        } finally {
            lock.unlock();
        }
    }

    /** The last losses, newest first. */
    List<StateReport.Loss> losses() {
        lock.lock();
        try {
            return List.copyOf(losses);
        } finally {
            lock.unlock();
        }
    }

    private void sample(long now, int held, int waiting) {
        current(now).stand(held, waiting);
        sampledAt = now;
    }

    /**
     * The bucket of this moment; those that were skipped stand as the one before. A clock that goes back stands still,
     * unless it goes back by more than all of them: then they had been of a wrong time.
     */
    private Bucket current(long now) {
        long at = now - Math.floorMod(now, STEP_MILLIS);
        Bucket last = buckets.peekLast();
        if (last == null || Math.abs(at - last.at()) >= LONGEST * STEP_MILLIS) {
            buckets.clear();
            last = append(new Bucket(at, last == null ? 0 : last.held(), last == null ? 0 : last.waiting()));
        }
        while (last.at() < at) {
            last = append(new Bucket(last.at() + STEP_MILLIS, last.held(), last.waiting()));
        }
        return last;
    }

    private Bucket append(Bucket bucket) {
        buckets.addLast(bucket);
        if (buckets.size() > LONGEST) {
            buckets.removeFirst();
        }
        return bucket;
    }
}
