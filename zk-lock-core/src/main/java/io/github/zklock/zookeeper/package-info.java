/**
 * The engine: locks as queues of sequential ephemeral nodes.
 *
 * <p>One acquire, from call to node: {@code EngineLock} asks a {@code Turnstile} for a turn, the turnstile takes a
 * {@code Seat} in the lock's folder, the seat speaks to ZooKeeper through a {@code WireSession}, and the {@code
 * SessionKeeper} proves that its session is alive. All of that state belongs to one {@code Loop}, which runs one task at
 * a time; only what a handle answers without asking the loop is shared with other threads.
 */
@NullMarked
package io.github.zklock.zookeeper;

import org.jspecify.annotations.NullMarked;
