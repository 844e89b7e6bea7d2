package io.github.zklock.event;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;

/**
 * This process has become the leader. A thread of the leadership publishes the event to the application context.
 *
 * @param name the name of the leadership
 * @param token the token of the term
 */
public record LeadershipStartedEvent(LockName name, FencingToken token) {}
