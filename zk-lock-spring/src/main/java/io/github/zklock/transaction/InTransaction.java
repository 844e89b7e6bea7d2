package io.github.zklock.transaction;

/** When a lock that is acquired inside a running transaction is released. */
public enum InTransaction {
    /** At the end of the transaction. */
    HOLD,
    /** At the end of the method, before the commit. */
    RELEASE,
    /** Not acquired: the call fails. */
    REFUSE
}
