package io.github.zklock.event;

import io.github.zklock.LockName;

/**
 * A request of this process is part of a deadlock. A thread of the registry publishes the event to the application
 * context.
 *
 * @param registry the bean name of the lock's registry
 * @param name the lock that the request waits for
 * @param requests the requests that wait for each other, as text
 * @param rejected whether this request is rejected, under {@code zk.lock.on-deadlock=fail}
 */
public record LockDeadlockEvent(String registry, LockName name, String requests, boolean rejected) {}
