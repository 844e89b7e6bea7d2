/**
 * Fences JDBC transactions: a transaction that begins under a lock raises the row of the lock in a fence table, so that
 * the database rejects the transaction of a holder that was overtaken. Imports the API, {@code support}, {@code
 * transaction} and Spring's JDBC and transactions; no other package imports it.
 */
@NullMarked
package io.github.zklock.fence;

import org.jspecify.annotations.NullMarked;
