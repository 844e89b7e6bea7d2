package com.example.ordershop.statistics;

import io.github.zklock.FencingToken;

/** The database rejected a write because a later holder of the lock has claimed the row. Nothing was changed. */
public final class StaleWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long token;

    StaleWriteException(String row, FencingToken token) {
        super("Statistics of " + row + " not written with token " + token
                + ": a later holder of the lock has claimed them");
        this.token = token.value();
    }

    /** Returns the token of the rejected write. */
    public FencingToken token() {
        return new FencingToken(token);
    }
}
