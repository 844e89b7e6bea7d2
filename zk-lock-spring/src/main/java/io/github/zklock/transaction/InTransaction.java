package io.github.zklock.transaction;

/** When a lock that is acquired inside a running transaction is released. */
public enum InTransaction {
    /** At the end of the transaction. */
    HOLD,
    /** At the end of the method, before the commit. */
    RELEASE,
    /** Such a call is rejected. */
    REFUSE
}
