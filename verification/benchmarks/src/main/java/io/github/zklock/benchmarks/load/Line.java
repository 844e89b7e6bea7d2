package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Claim;
import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A queue that stands, each of whom has a place of his own, and moves up when the lock changes hands. */
final class Line implements Load {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long GLANCE_MILLIS = 20;

    /** So many hand-overs are measured, or as many as there are waiters. */
    private static final int MOST = 100;

    private final Contender contender;
    private final int waiters;
    private final List<Claim> claims;
    private final Semaphore granted = new Semaphore(0);
    private final Semaphore mayLeave = new Semaphore(0);
    private int left;

    Line(Contender contender, Arguments arguments) {
        this.contender = contender;
        this.waiters = arguments.number("waiters");
        // one more has the lock
        this.claims = contender.line("line", waiters + 1);
    }

    @Override
    public void prepare() throws Exception {
        close();
        left = claims.size();
        for (int place = 0; place < claims.size(); place++) {
            Claim claim = claims.get(place);
            Thread waiter = new Thread(() -> wait(claim), "waiter-" + place);
            waiter.setDaemon(true);
            waiter.start();
        }
        granted.acquire();
        while (contender.queue("line") < claims.size()) {
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
    }

    @Override
    public Figures run(Duration time) throws InterruptedException {
        int handOvers = Math.min(waiters, MOST);
        Histogram times = new Histogram();
        long start = System.nanoTime();
        for (int handOver = 0; handOver < handOvers; handOver++) {
            long released = System.nanoTime();
            leave();
            granted.acquire();
            times.add(System.nanoTime() - released);
        }
        return Turns.figures(times, (System.nanoTime() - start) / NANOS_PER_SECOND)
                .and(Map.of("waiters", (double) waiters));
    }

    /** Lets all who are left have their turn. */
    @Override
    public void close() throws Exception {
        while (left > 0) {
            leave();
            if (left > 0) {
                granted.acquire();
            }
        }
        while (contender.queue("line") > 0) {
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
        }
    }

    private void leave() {
        mayLeave.release();
        left--;
    }

    private void wait(Claim claim) {
        try (Held held = claim.take()) {
            granted.release();
            mayLeave.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException("A waiter of the line failed", e);
        }
    }
}
