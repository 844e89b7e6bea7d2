/** Auto-configuration of a {@link io.github.zklock.LockRegistry} from {@code zk.lock.*}. */
@NullMarked
package io.github.zklock.autoconfigure;

import org.jspecify.annotations.NullMarked;
