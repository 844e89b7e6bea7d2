/**
 * {@link io.github.zklock.annotation.DistributedLock} at work: from the annotation to a validated method, from a call to
 * the name of its lock, and around the call to its result, whatever shape that has.
 */
@NullMarked
package io.github.zklock.aop;

import org.jspecify.annotations.NullMarked;
