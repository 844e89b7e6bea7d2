/** The annotation {@link io.github.zklock.annotation.DistributedLock} and the types of its attributes. */
@NullMarked
package io.github.zklock.annotation;

import org.jspecify.annotations.NullMarked;
