package com.example.ordershop.stock;

/** Less is left than a customer wants. Nothing was taken. */
public final class OutOfStockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutOfStockException(String product, int left, Quantity wanted) {
        super("There are " + left + " pieces of " + product + " left, not " + wanted.value());
    }
}
