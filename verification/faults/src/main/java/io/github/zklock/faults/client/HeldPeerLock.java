package io.github.zklock.faults.client;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A held lock of another library. As Curator's documentation recommends, it counts as not held while the connection is
 * suspended, and as lost once the session is lost.
 */
final class HeldPeerLock implements HeldLock, AutoCloseable {

    // other libraries state no time: an answer is valid until the next question
    static final long UNTIL_ASKED_AGAIN_NANOS = 2 * HoldReport.BETWEEN_SAMPLES_NANOS;

    private final PeerLock lock;
    private final PeerClient client;
    private final long lossesBefore;
    private final AtomicReference<@Nullable Runnable> lossListener = new AtomicReference<>();

    /** Created by the holding thread as soon as the lock is granted. */
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
        // the release itself waits for the servers, or throws
    }

    /** Returns whether the session was lost after the grant. */
    @Override
    public boolean isLost() {
        return client.losses() > lossesBefore;
    }

    /** Unregisters the listener. */
    @Override
    public void close() {
        Runnable listener = lossListener.getAndSet(null);
        if (listener != null) {
            client.forget(listener);
        }
    }
}
