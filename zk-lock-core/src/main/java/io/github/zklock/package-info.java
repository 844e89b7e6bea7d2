/**
 * The public API: distributed locks, their handles, events and exceptions. It uses JDK types only; the implementation
 * is in {@code io.github.zklock.zookeeper}.
 */
@NullMarked
package io.github.zklock;

import org.jspecify.annotations.NullMarked;
