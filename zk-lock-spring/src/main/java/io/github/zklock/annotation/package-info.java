/** The annotations for methods, such as {@link io.github.zklock.annotation.DistributedLock}, and their attributes. */
@NullMarked
package io.github.zklock.annotation;

import org.jspecify.annotations.NullMarked;
