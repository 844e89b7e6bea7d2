/**
 * What ties locks to transactions: a commit is refused if a lock that guards the transaction is lost, and a lock whose
 * method takes part in a running transaction is kept until that transaction is over. Imports the API, {@code aop} and
 * Spring's transactions; no other package imports it.
 */
@NullMarked
package io.github.zklock.transaction;

import org.jspecify.annotations.NullMarked;
