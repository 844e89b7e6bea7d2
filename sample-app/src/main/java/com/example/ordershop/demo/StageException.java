package com.example.ordershop.demo;

/** A demonstration cannot go on; the message says which process, what it did and what it said. */
final class StageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StageException(String message) {
        super(message);
    }

    StageException(String message, Throwable cause) {
        super(message, cause);
    }
}
