package io.github.zklock.faults.client;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A term of a leader of another library. The thread that creates it leads, and is interrupted when the library reports
 * the end of the term.
 */
final class PeerTerm implements HeldLock, AutoCloseable {

    private final BooleanSupplier leads;
    private final String node;
    private final ReentrantLock guard = new ReentrantLock();

    // guarded by guard
    private @Nullable Thread leader = Thread.currentThread();
    private volatile @Nullable Runnable lossListener;
    private volatile boolean lost;

    /**
     * @param leads what the library offers to ask whether this process is the leader
     * @param node the path of the seat; empty if the library does not name it
     */
    PeerTerm(BooleanSupplier leads, String node) {
        this.leads = leads;
        this.node = node;
    }

    /** Records that the library has reported the end of the term. */
    void over() {
        guard.lock();
        try {
            if (leader != null) {
                lost = true;
                leader.interrupt();
                leader = null;
                Runnable listener = lossListener;
                if (listener != null) {
                    listener.run();
                }
            }
        } finally {
            guard.unlock();
        }
    }

    @Override
    public boolean isHeld() {
        return !isLost() && leads.getAsBoolean();
    }

    @Override
    public String state() {
        return leads.getAsBoolean() ? "LEADER" : "NONE";
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public void onLost(Runnable listener) {
        lossListener = listener;
    }

    /** Ends the term: its thread is not interrupted any more. Called by that thread. */
    @Override
    public void close() {
        guard.lock();
        try {
            leader = null;
        } finally {
            guard.unlock();
        }
        // an interrupt that ended the term must not end the next wait
        Thread.interrupted();
    }
}
