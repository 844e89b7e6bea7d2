package io.github.zklock;

import java.time.Duration;

/** What happened to a lock, as told to a {@link LockListener}. */
public sealed interface LockEvent {

    /** The lock. */
    LockName name();

    /** Somebody of this process began to wait. */
    record Queued(LockName name) implements LockEvent {}

    /** The lock was granted, after waiting this long. */
    record Acquired(LockName name, FencingToken token, Duration waited) implements LockEvent {}

    /** The lock was given back, after this long. */
    record Released(LockName name, FencingToken token, Duration held) implements LockEvent {}

    /** A wait ended at its deadline because others held the lock. */
    record TimedOut(LockName name, Duration waited) implements LockEvent {}

    /** A wait ended because ZooKeeper could not be reached, or refused. */
    record Unavailable(LockName name, Duration waited) implements LockEvent {}

    /** The proof that the lock is held has run out; it may be lost. */
    record Suspended(LockName name, FencingToken token) implements LockEvent {}

    /** The lock is proven to be held again. */
    record Resumed(LockName name, FencingToken token) implements LockEvent {}

    /** The lock was lost by its holder. */
    record Lost(LockName name, FencingToken token, String reason) implements LockEvent {}

    /** The lock has been held for longer than the warning threshold. */
    record HeldLong(LockName name, FencingToken token, Duration held, String holder) implements LockEvent {}

    /** A handle became unreachable without having been closed: its lock stays taken until its session ends. */
    record Leaked(LockName name, FencingToken token) implements LockEvent {}
}
