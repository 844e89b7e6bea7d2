package io.github.zklock.console;

import io.github.zklock.LockInspector;

/** There is no use in waiting for an answer of ZooKeeper's. */
final class NoConnectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private NoConnectionException() {
        super("There is no connection to ZooKeeper");
    }

    static void checkConnected(LockInspector inspector) {
        if (!inspector.session().connected()) {
            throw new NoConnectionException();
        }
    }
}
