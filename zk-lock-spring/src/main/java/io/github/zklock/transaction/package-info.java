/**
 * Ties locks to transactions. If a lock that guards the transaction is lost, the transaction is rolled back instead of
 * committed. If a locked method takes part in a running transaction, its lock is kept until that transaction has
 * completed. Imports the API, {@code aop} and Spring's transactions; only {@code fence} and configurations import it.
 */
@NullMarked
package io.github.zklock.transaction;

import org.jspecify.annotations.NullMarked;
