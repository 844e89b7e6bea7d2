/** Auto-configuration of the locks of Spring Integration and ShedLock. */
@NullMarked
package io.github.zklock.autoconfigure.bridge;

import org.jspecify.annotations.NullMarked;
