package io.github.zklock.event;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;

/**
 * A holder has lost its lock. A thread of the registry publishes the event to the application context.
 *
 * <p>Not guaranteed: an event for each loss. An application that must react to a loss registers an action with {@link
 * io.github.zklock.LockHandle#onLost(Runnable)}.
 *
 * @param registry the bean name of the lock's registry
 */
public record LockLostEvent(String registry, LockName name, FencingToken token, String reason) {}
