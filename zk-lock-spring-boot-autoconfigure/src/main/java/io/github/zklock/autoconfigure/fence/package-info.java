/** Auto-configuration of fenced JDBC transactions and of the fence table. */
@NullMarked
package io.github.zklock.autoconfigure.fence;

import org.jspecify.annotations.NullMarked;
