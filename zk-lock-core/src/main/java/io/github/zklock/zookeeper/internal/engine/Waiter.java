package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for the answer to its claim. */
final class Waiter implements Claim.Answer {

    private final Thread thread = Thread.currentThread();
    /**
     * Written on the loop; again if an Error may have kept the thread from receiving it: the same answer, or a refusal
     * instead of a grant.
     */
    private volatile @Nullable Object answer;
    /**
     * Whether the thread has a handle of the granted turn. The thread writes it, as a field: see {@link
     * Claim#abandoned}.
     */
    volatile boolean taken;

    @Override
    public void granted(Turn turn) {
        answer(turn);
    }

    @Override
    public void refused(Refusal refusal) {
        answer(refusal);
    }

    @Override
    public boolean hasArrived() {
        return taken || answer instanceof Refusal;
    }

    /** Creates the name when it is needed, because very many threads may wait. */
    @Override
    public String asker() {
        return Words.nameOf(thread);
    }

    boolean isAnswered() {
        return answer != null;
    }

    private void answer(Object given) {
        answer = given;
        // a thread that runs the loop itself is not parked
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Waits for the answer.
     *
     * @throws InterruptedException if the thread is interrupted during the wait; the claim is still open, or answered
     */
    Object await() throws InterruptedException {
        Object given = answer;
        while (given == null) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            given = answer;
        }
        return given;
    }

    /** Waits as {@link #await} does, but an interrupt does not end the wait: the flag is set again on return. */
    Object awaitUninterruptibly() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await();
                } catch (InterruptedException early) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                thread.interrupt();
            }
        }
    }

    /**
     * Returns the turn.
     *
     * @throws io.github.zklock.LockException if the answer is a refusal
     */
    static Turn turnOf(Object answer, LockName name) {
        if (answer instanceof Refusal refusal) {
            throw refusal.toException(name);
        }
        return (Turn) answer;
    }
}
