/**
 * What this process does with one lock: who asks for it and who has it, on which seats, and who is next. Turns are handed on from
 * thread to thread here.
 *
 * <p>Imports {@code seat}, {@code session}, {@code queue}, {@code transport} and {@code runtime}. The engine may import it, and the
 * handles.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.local;

import org.jspecify.annotations.NullMarked;
