package io.github.zklock.faults.client;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A held lock of another library. As Curator's documentation recommends, it counts as not held while the connection is
 * suspended, and as lost once the session is lost.
 */
final class HeldPeerLock implements HeldLock, AutoCloseable {

    private final PeerEngine.PeerLock lock;
    private final PeerClient client;
    private final long lossesBefore;
    private final AtomicReference<@Nullable Runnable> lossListener = new AtomicReference<>();

    /** Created by the holding thread as soon as the lock is granted. */
    HeldPeerLock(PeerEngine.PeerLock lock, PeerClient client) {
        this.lock = lock;
        this.client = client;
        this.lossesBefore = client.losses();
    }

    @Override
    public boolean isHeld() {
        return client.isProven() && !isLost() && lock.isHeld();
    }

    @Override
    public String state() {
        return client.state().name();
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
