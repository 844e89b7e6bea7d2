package com.example.ordershop.statistics;

import io.github.zklock.FencingToken;

/** The database has refused a write, because somebody with a newer token has come before. Nothing was changed. */
public final class StaleWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long token;

    StaleWriteException(String row, FencingToken token) {
        super("Statistics of " + row + " not written with token " + token
                + ": a later holder of the lock has claimed them, so what was computed is out of date");
        this.token = token.value();
    }

    /** Of the writer that came too late. */
    public FencingToken token() {
        return new FencingToken(token);
    }
}
