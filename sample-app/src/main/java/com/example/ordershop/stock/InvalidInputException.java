package com.example.ordershop.stock;

/** What a customer has asked for cannot be: the message names the input, and what is possible instead. */
public final class InvalidInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidInputException(String message) {
        super(message);
    }
}
