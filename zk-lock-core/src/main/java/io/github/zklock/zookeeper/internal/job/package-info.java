/**
 * Jobs that run at most once per window: the records of runs, and the begin of a run, which uses a lock as any caller
 * does.
 *
 * <p>Imports {@code session}, {@code transport}, {@code queue} and {@code runtime}. The engine may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.job;

import org.jspecify.annotations.NullMarked;
