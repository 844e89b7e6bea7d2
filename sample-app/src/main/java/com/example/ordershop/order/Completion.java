package com.example.ordershop.order;

import io.github.zklock.FencingToken;

/**
 * Result of the completion of an order.
 *
 * @param token fencing token of the write; a string because it exceeds the numbers of JavaScript
 */
record Completion(long id, Recomputed recomputed, String token) {

    enum Recomputed {
        WRITTEN,
        /** A later holder of the lock has claimed the row: nothing was changed, and the order is still open. */
        REFUSED
    }

    static Completion of(Order order, Recomputed recomputed, FencingToken token) {
        return new Completion(order.id(), recomputed, token.toString());
    }
}
