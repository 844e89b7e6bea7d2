package io.github.zklock.docs.fencing;

import io.github.zklock.FencingToken;

/** A write that was refused, because a later holder of the same lock had written before. */
final class StaleWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleWriteException(String what, FencingToken token) {
        super("%s not written under token %s: a later holder of the lock was here".formatted(what, token));
    }
}
