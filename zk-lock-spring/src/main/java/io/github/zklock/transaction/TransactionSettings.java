package io.github.zklock.transaction;

/**
 * How locks and transactions work together.
 *
 * @param inTransaction when a lock that is acquired inside a running transaction is released
 */
public record TransactionSettings(InTransaction inTransaction) {}
