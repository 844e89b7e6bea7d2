package io.github.zklock.event;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;

/**
 * This process is not the leader any more. A thread of the leadership publishes the event to the application context.
 *
 * @param name the name of the leadership
 * @param token the token of the term that has ended
 * @param reason why the term has ended, for a log
 */
public record LeadershipStoppedEvent(LockName name, FencingToken token, String reason) {}
