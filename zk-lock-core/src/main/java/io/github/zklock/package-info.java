/**
 * The public API: distributed locks, their handles, events and failures. JDK types only; the engine behind it is in
 * {@code io.github.zklock.zookeeper}.
 */
@NullMarked
package io.github.zklock;

import org.jspecify.annotations.NullMarked;
