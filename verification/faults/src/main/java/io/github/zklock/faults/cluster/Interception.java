package io.github.zklock.faults.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * An interception of one message between client and servers: it closes the connection, or runs an action while the
 * message is held back.
 */
public final class Interception {

    /** The point in the handling of a request. */
    public enum Phase {
        /** The servers do not receive the request. */
        BEFORE_SEND,
        /** The servers receive the request, and the client learns nothing more. */
        AFTER_SEND,
        /** A server has answered, and the client does not receive the answer. */
        BEFORE_REPLY
    }

    /** The messages to which an interception applies. */
    public enum Target {
        /** Any request of the client, without heartbeats. */
        ANY,
        CREATE,
        LIST,
        READ,
        SYNC,
        DELETE,
        /** A transaction that changes nodes. */
        CHANGE,
        /** A transaction that only checks, such as a renewal. */
        CHECK,
        /** The request that begins or resumes a session on a new connection. */
        CONNECT,
        /** The event of a watch; its only phase is {@link Phase#BEFORE_REPLY}. */
        EVENT;

        boolean is(WireRequest request) {
            return switch (this) {
                case ANY -> request.isOperation();
                case CREATE -> request.opcode() == OpCode.create || request.opcode() == OpCode.create2;
                case LIST -> request.opcode() == OpCode.getChildren || request.opcode() == OpCode.getChildren2;
                case READ -> request.opcode() == OpCode.getData;
                case SYNC -> request.opcode() == OpCode.sync;
                case DELETE -> request.opcode() == OpCode.delete;
                case CHANGE -> request.opcode() == OpCode.multi && request.part() != OpCode.check;
                case CHECK -> request.opcode() == OpCode.multi && request.part() == OpCode.check;
                case CONNECT -> request.opcode() == OpCode.createSession;
                case EVENT -> request.opcode() == OpCode.notification;
            };
        }
    }

    private final Phase phase;
    private final Target target;
    private final int number;
    private final String since;
    private final @Nullable Runnable action;
    private final AtomicInteger seen = new AtomicInteger();
    private final CountDownLatch triggered = new CountDownLatch(1);

    private volatile boolean counting;
    private volatile boolean disabled;
    private volatile @Nullable Throwable failure;

    private Interception(Phase phase, Target target, int number, String since, @Nullable Runnable action) {
        this.phase = phase;
        this.target = target;
        this.number = number;
        this.since = since;
        this.action = action;
    }

    /** Closes the connection at the first such message. */
    public static Interception at(Phase phase, Target target) {
        return at(phase, target, 0);
    }

    /**
     * Closes the connection at one such message.
     *
     * @param number the number of such messages before it
     */
    public static Interception at(Phase phase, Target target, int number) {
        return new Interception(phase, target, number, "", null);
    }

    /** Starts counting with the first request whose path contains this. */
    public Interception since(String path) {
        return new Interception(phase, target, number, path, action);
    }

    /** Runs an action instead, before the message passes or after it was sent; the connection stays open. */
    public Interception doing(Runnable instead) {
        return new Interception(phase, target, number, since, instead);
    }

    public Phase phase() {
        return phase;
    }

    public boolean cuts() {
        return action == null;
    }

    public boolean isTriggered() {
        return triggered.getCount() == 0;
    }

    /** Returns how many messages were counted. */
    public int seen() {
        return seen.get();
    }

    /** Waits until the interception has triggered and its action has ended; returns false after this time. */
    public boolean awaitTriggered(Duration maxWait) {
        try {
            return triggered.await(maxWait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** Waits until the interception has triggered and its action has ended, and checks the action. */
    public void requireTriggered(Duration maxWait) {
        if (!awaitTriggered(maxWait)) {
            throw new AssertionError(this + " was not reached within " + maxWait);
        }
        check();
    }

    /**
     * Checks the action.
     *
     * @throws AssertionError if the action has failed
     */
    public void check() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("What was to be done at " + this + " failed: " + failed.getMessage(), failed);
        }
    }

    /** Returns whether this is the message. Called once for each message, in order. */
    boolean isAt(WireRequest request) {
        counting |= request.path().contains(since);
        return counting && target.is(request) && seen.getAndIncrement() == number;
    }

    /** Prevents the interception from triggering, even at a request in flight. */
    void disable() {
        disabled = true;
    }

    boolean isDisabled() {
        return disabled;
    }

    void trigger() {
        try {
            if (action != null) {
                action.run();
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            triggered.countDown();
        }
    }

    @Override
    public String toString() {
        return phase + " of " + target + " #" + number;
    }
}
