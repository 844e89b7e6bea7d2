package io.github.zklock.faults.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * A spot in what a client and the servers say to each other, and what is done there, once: the connection is cut, or
 * something else happens while the message is held back.
 */
public final class Interception {

    /** When, around a request. */
    public enum Phase {
        /** The servers do not get it. */
        BEFORE_SEND,
        /** The servers get it, and the client knows no more. */
        AFTER_SEND,
        /** A server has answered, and the client does not get the answer. */
        BEFORE_REPLY
    }

    /** What a trap waits for. */
    public enum Target {
        /** Anything that the client asks for of itself. */
        ANY,
        CREATE,
        LIST,
        READ,
        SYNC,
        DELETE,
        /** A transaction that changes something; others only check. */
        CHANGE,
        /** A transaction that only checks, such as a renewal. */
        CHECK,
        /** The beginning of a session, or of a further connection of it. */
        CONNECT,
        /** What a watch tells; it has one phase, {@link Phase#BEFORE_REPLY}. */
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

    /** A cut at the first of these. */
    public static Interception at(Phase phase, Target target) {
        return at(phase, target, 0);
    }

    /**
     * A cut at one of these.
     *
     * @param number of those that are passed over before
     */
    public static Interception at(Phase phase, Target target, int number) {
        return new Interception(phase, target, number, "", null);
    }

    /** Counts from the first operation on a path that contains this. */
    public Interception since(String path) {
        return new Interception(phase, target, number, path, action);
    }

    /** Runs this while the message is held back, or has just been sent, and then lets it go on; nothing is cut. */
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

    /** How many messages it has counted. */
    public int seen() {
        return seen.get();
    }

    /** Waits until it has sprung, and all is done; false if that takes longer. */
    public boolean awaitTriggered(Duration patience) throws InterruptedException {
        return triggered.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Looks at what has become of it.
     *
     * @throws AssertionError if what was to be done has failed
     */
    public void check() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("What was to be done at " + this + " failed: " + failed.getMessage(), failed);
        }
    }

    /** Whether this is the spot. To be asked of each message once, in order. */
    boolean isAt(WireRequest request) {
        counting |= request.path().contains(since);
        return counting && target.is(request) && seen.getAndIncrement() == number;
    }

    /** Keeps it from springing, also at a request that is under way. */
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
