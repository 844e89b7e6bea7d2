package io.github.zklock.faults.client;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lock of a peer in the hands of one thread, which does what Curator's documentation recommends: it stops believing in
 * its lock while the connection is in doubt, and for good once the session is lost.
 */
final class HeldPeerLock implements HeldLock, AutoCloseable {

    // a peer promises nothing: a belief lasts until it is asked again
    private static final long UNTIL_ASKED_AGAIN_NANOS = 2 * HoldReport.BETWEEN_SAMPLES_NANOS;

    private final PeerLock lock;
    private final PeerClient client;
    private final long lossesBefore;
    private final AtomicReference<@Nullable Runnable> lossListener = new AtomicReference<>();

    /** To be made as soon as the lock is there, by the thread that has it. */
    HeldPeerLock(PeerLock lock, PeerClient client) {
        this.lock = lock;
        this.client = client;
        this.lossesBefore = client.losses();
    }

    @Override
    public boolean isHeld() {
        return client.isProven() && !isLost() && lock.isHeld();
    }

    @Override
    public long remainingNanos() {
        return UNTIL_ASKED_AGAIN_NANOS;
    }

    @Override
    public String state() {
        return client.state().name();
    }

    @Override
    public long token() {
        return 0;
    }

    @Override
    public String node() {
        return lock.node();
    }

    @Override
    public void onLost(Runnable listener) {
        lossListener.set(listener);
        client.onLost(listener);
    }

    @Override
    public void onReleased(Runnable seen, Runnable unseen) {
        // its release waits for the servers itself, or throws
    }

    /** Whether the client has said since the grant that its session was lost. */
    boolean isLost() {
        return client.losses() > lossesBefore;
    }

    /** Ends the listening. */
    @Override
    public void close() {
        Runnable listener = lossListener.getAndSet(null);
        if (listener != null) {
            client.forget(listener);
        }
    }
}
