package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.util.ArrayList;
import java.util.List;

/**
 * The further locks that a thread requests together with a first one. The engine grants each of them only if it is free
 * at once and if the lock before it was granted; otherwise it rejects the request.
 */
final class Companions {

    private final EngineAccess engine;
    private final List<Waiter> waiters = new ArrayList<>();
    /** A field, because it is read where the stack may have no room for a call. */
    Claim[] claims = {};

    Companions(EngineAccess engine) {
        this.engine = engine;
    }

    /** Returns the answer for the next claim. */
    Claim.Answer next() {
        Waiter waiter = new Waiter();
        waiters.add(waiter);
        return waiter;
    }

    void setClaims(List<Claim> all) {
        claims = all.toArray(Claim[]::new);
    }

    /**
     * Waits for the answers to all claims up to the first that is rejected. If this fails, the caller has to call
     * {@link #leave}.
     *
     * @return the first lock and the locks that were granted behind it
     */
    List<LockHandle> awaitBehind(LockHandle first) throws InterruptedException {
        List<LockHandle> granted = new ArrayList<>(claims.length + 1);
        granted.add(first);
        for (int i = 0; i < claims.length; i++) {
            Object answer = waiters.get(i).await();
            if (answer instanceof Refusal) {
                // the engine rejects all claims behind a rejected one
                break;
            }
            granted.add(EngineHandle.of((Turn) answer, null, engine));
        }
        for (int i = 1; i < granted.size(); i++) {
            waiters.get(i - 1).taken = true;
        }
        return granted;
    }

    /**
     * Withdraws all claims. That releases the locks that were granted to them, so the caller must not close their
     * handles as well.
     */
    void leave() {
        for (Claim claim : claims) {
            engine.cancel(claim);
        }
    }
}
