package com.example.ordershop.order;

/** Nobody has placed such an order. */
public final class NoSuchOrderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoSuchOrderException(long orderId) {
        super("There is no order " + orderId);
    }
}
