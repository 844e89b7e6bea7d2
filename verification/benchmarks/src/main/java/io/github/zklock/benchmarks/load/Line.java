package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Claim;
import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** A holder and a queue behind it, in which each waiter has a place of its own. */
final class Line implements Load {

    private final int length;
    /** Those who do not stand in the queue. */
    private final BlockingQueue<Claim> outside = new LinkedBlockingQueue<>();

    private final Semaphore granted = new Semaphore(0);
    private final Semaphore mayLeave = new Semaphore(0);
    /** How many have left, or are about to. */
    private int out;

    Line(Contender contender, Witness witness, Arguments arguments) throws Exception {
        // one more has the lock
        length = arguments.number("waiters") + 1;
        out = length;
        List<Claim> claims = contender.line("line", length);
        claims.forEach(claim -> outside.add(witness.exclusive(0, claim)));
    }

    /** Lets all who are outside stand in the queue again. */
    @Override
    public void prepare() throws InterruptedException {
        boolean nobody = out == length;
        for (; out > 0; out--) {
            Claim claim = outside.take();
            Thread waiter = new Thread(() -> stand(claim), "waiter");
            waiter.setDaemon(true);
            waiter.start();
        }
        if (nobody) {
            granted.acquire();
        }
    }

    /** Lets the lock change hands once. */
    @Override
    public Figures run(Duration time) throws InterruptedException {
        long released = System.nanoTime();
        leave();
        granted.acquire();
        return new Figures(Map.of(Figures.NANOS, (double) (System.nanoTime() - released)));
    }

    /** Lets all who stand there have their turn. */
    @Override
    public void rest() throws InterruptedException {
        while (out < length) {
            leave();
            if (out < length) {
                granted.acquire();
            }
        }
    }

    private void leave() {
        mayLeave.release();
        out++;
    }

    private void stand(Claim claim) {
        try (Held held = claim.take()) {
            granted.release();
            mayLeave.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (Exception e) {
            throw new IllegalStateException("A waiter of the line failed", e);
        }
        outside.add(claim);
    }
}
