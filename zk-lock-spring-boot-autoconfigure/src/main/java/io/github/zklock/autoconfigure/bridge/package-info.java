/** Auto-configuration of the bridges to Spring Integration and ShedLock. */
@NullMarked
package io.github.zklock.autoconfigure.bridge;

import org.jspecify.annotations.NullMarked;
