package com.example.ordershop.order;

import io.github.zklock.FencingToken;
import java.time.LocalDate;

/**
 * What became of an order that was to be completed.
 *
 * @param token with which the statistics were written, or were to be written
 */
record Completion(long id, LocalDate day, String product, long amountCents, Recomputed recomputed, String token) {

    /** What became of the statistics. */
    enum Recomputed {
        WRITTEN,
        /** The lock was lost meanwhile and somebody else has claimed the row: nothing was changed, the order is still open. */
        REFUSED
    }

    static Completion of(Order order, Recomputed recomputed, FencingToken token) {
        return new Completion(
                order.id(), order.day(), order.product(), order.amountCents(), recomputed, token.toString());
    }
}
