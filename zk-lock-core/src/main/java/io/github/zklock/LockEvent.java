package io.github.zklock;

import java.time.Duration;

/** An event of a lock of one registry, which a {@link LockListener} receives. */
public sealed interface LockEvent {

    /** Returns the name of the lock. */
    LockName name();

    /** A request of this process began to wait. */
    record Queued(LockName name) implements LockEvent {}

    /**
     * The lock was acquired, after this wait.
     *
     * @param keptSeat whether the seat has served an earlier turn, so that no request was sent
     */
    record Acquired(LockName name, FencingToken token, Duration waited, boolean keptSeat) implements LockEvent {}

    /** The lock was released, after it had been held for this long. */
    record Released(LockName name, FencingToken token, Duration held) implements LockEvent {}

    /** A wait ended at its deadline because others held the lock. */
    record TimedOut(LockName name, Duration waited) implements LockEvent {}

    /** A wait ended because ZooKeeper could not be reached or rejected the request. */
    record Unavailable(LockName name, Duration waited) implements LockEvent {}

    /** The proof that the lock is held has run out. The lock may be lost. */
    record Suspended(LockName name, FencingToken token) implements LockEvent {}

    /** The lock is proven to be held again. */
    record Resumed(LockName name, FencingToken token) implements LockEvent {}

    /** The holder lost the lock. */
    record Lost(LockName name, FencingToken token, String reason) implements LockEvent {}

    /** The lock has been held for longer than the warning threshold. */
    record HeldLong(LockName name, FencingToken token, Duration held, String holder) implements LockEvent {}

    /**
     * A request of this process is part of a deadlock.
     *
     * @param requests the requests that wait for each other, as text
     * @param rejected whether this request is rejected, under {@link DeadlockReaction#FAIL}
     */
    record Deadlocked(LockName name, String requests, boolean rejected) implements LockEvent {}

    /** A handle became unreachable without having been closed. The lock stays held until its session ends. */
    record Leaked(LockName name, FencingToken token) implements LockEvent {}
}
