package io.github.zklock.transaction;

import io.github.zklock.aop.TransactionTie;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Scopes that are still open on threads whose transactions were completed by another one, which could not close them. */
final class OpenScopes {

    private static final ThreadLocal<Queue<TransactionTie.Hold>> LEFT = new ThreadLocal<>();

    private OpenScopes() {}

    /** Where other threads put what this one is to leave. */
    static Queue<TransactionTie.Hold> ofThread() {
        Queue<TransactionTie.Hold> own = LEFT.get();
        if (own == null) {
            own = new ConcurrentLinkedQueue<>();
            LEFT.set(own);
        }
        return own;
    }

    static void closeThoseLeft() {
        Queue<TransactionTie.Hold> own = LEFT.get();
        if (own != null) {
            for (TransactionTie.Hold hold = own.poll(); hold != null; hold = own.poll()) {
                hold.leave();
            }
        }
    }
}
