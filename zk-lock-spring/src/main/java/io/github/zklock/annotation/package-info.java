/** {@link io.github.zklock.annotation.DistributedLock}, and what its attributes may say. */
@NullMarked
package io.github.zklock.annotation;

import org.jspecify.annotations.NullMarked;
