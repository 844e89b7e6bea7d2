package io.github.zklock.event;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;

/**
 * A lock was lost by its holder. Published to the application context, on a thread of the registry's.
 *
 * <p>Not guaranteed: that there is one for each loss. An application that must act on a loss registers an action with
 * {@link io.github.zklock.LockHandle#onLost(Runnable)}.
 *
 * @param registry the bean name of the lock's registry
 */
public record LockLostEvent(String registry, LockName name, FencingToken token, String reason) {}
