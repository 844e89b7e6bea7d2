package io.github.zklock.zookeeper.internal.engine;

/** What goes wrong with one request. */
enum SimTrouble {
    NONE,
    CUT_BEFORE_SEND,
    CUT_AFTER_SEND,
    CUT_BEFORE_REPLY,
    /** Neither carried out nor answered. */
    DROPPED
}
