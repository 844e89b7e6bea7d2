package io.github.zklock.event;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;
import java.time.Duration;

/**
 * A lock has been held for longer than the warning threshold, {@code zk.lock.hold-warning-threshold}. Published to the
 * application context, on a thread of the registry's.
 *
 * @param registry the bean name of the lock's registry
 * @param holder the thread that acquired it, by name
 */
public record LockHeldLongEvent(String registry, LockName name, FencingToken token, Duration held, String holder) {}
