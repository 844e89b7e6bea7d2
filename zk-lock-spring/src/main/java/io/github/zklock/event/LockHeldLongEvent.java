package io.github.zklock.event;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;
import java.time.Duration;

/**
 * A lock has been held for longer than {@code zk.lock.hold-warning-threshold}. A thread of the registry publishes the
 * event to the application context.
 *
 * @param registry the bean name of the lock's registry
 * @param holder the name of the thread that acquired the lock
 */
public record LockHeldLongEvent(String registry, LockName name, FencingToken token, Duration held, String holder) {}
