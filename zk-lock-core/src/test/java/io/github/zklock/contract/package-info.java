/** What every {@link io.github.zklock.LockRegistry} does, as suites that an implementation extends. */
@NullMarked
package io.github.zklock.contract;

import org.jspecify.annotations.NullMarked;
