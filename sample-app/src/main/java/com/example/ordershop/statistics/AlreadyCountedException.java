package com.example.ordershop.statistics;

/** The order is in the statistics already. Nothing was changed. */
public final class AlreadyCountedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Of this order. */
    public AlreadyCountedException(long orderId) {
        super("Order " + orderId + " is completed already: it counts once");
    }
}
