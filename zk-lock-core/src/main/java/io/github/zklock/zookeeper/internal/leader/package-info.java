/**
 * The leadership of a name: a candidate, which acquires the lock of the name as any caller does, and runs code of users
 * on threads of its own.
 *
 * <p>Imports {@code runtime}. The engine may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.leader;

import org.jspecify.annotations.NullMarked;
