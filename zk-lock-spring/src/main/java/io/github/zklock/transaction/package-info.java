/**
 * What ties locks to transactions: nothing is committed without the lock under which it was done, and no lock taken
 * inside a transaction is free before its outcome is.
 */
@NullMarked
package io.github.zklock.transaction;

import org.jspecify.annotations.NullMarked;
