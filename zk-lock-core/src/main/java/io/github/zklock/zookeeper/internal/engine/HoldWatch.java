package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockEvent;
import io.github.zklock.LockState;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.local.Notifier;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import java.time.Duration;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * A periodic check of the turns: for long holds, for handles that were not closed, and for proofs that have run out.
 */
final class HoldWatch {

    private static final Logger LOG = EngineLog.of(HoldWatch.class);
    private static final int FRAMES = 30;

    private final Notifier notifier;
    /** Whether a suspension was reported whose end was not reported yet. */
    private boolean suspensions;

    HoldWatch(Notifier notifier) {
        this.notifier = notifier;
    }

    void look(Turn turn) {
        lookAtProof(turn);
        Duration longHold = turn.policy().holdWarning();
        if (longHold != null && turn.held().compareTo(longHold) > 0 && turn.markLongHoldTold()) {
            LOG.warn("Lock '{}' has been held for {} by {}", turn.name(), Words.of(turn.held()), whereabouts(turn));
            notifier.tell(new LockEvent.HeldLong(turn.name(), turn.token(), turn.held(), turn.holder()));
        }
        if (turn.isLeaked() && turn.markLeakTold()) {
            LOG.warn(
                    "Lock '{}', acquired by {} {} ago, can no longer be released: its handle became unreachable without close()."
                            + " It stays held until its session ends",
                    turn.name(),
                    turn.holder(),
                    Words.of(turn.held()));
            notifier.tell(new LockEvent.Leaked(turn.name(), turn.token()));
        }
    }

    /** Returns whether a new proof of the session may end a reported suspension. */
    boolean hasSuspensions() {
        return suspensions;
    }

    /** Called before {@link #lookAtProof} is called for all turns. */
    void forgetSuspensions() {
        suspensions = false;
    }

    void lookAtProof(Turn turn) {
        LockState state = turn.state();
        if (state == LockState.SUSPENDED) {
            suspensions = true;
            if (turn.markSuspended()) {
                LOG.warn(
                        "Lock '{}' held by {} is suspended: its session cannot be proven to be alive",
                        turn.name(),
                        turn.holder());
                notifier.tell(new LockEvent.Suspended(turn.name(), turn.token()));
            }
        } else if (state == LockState.HELD && turn.markResumed()) {
            LOG.info("Lock '{}' held by {} is proven to be held again", turn.name(), turn.holder());
            notifier.tell(new LockEvent.Resumed(turn.name(), turn.token()));
        }
    }

    /** Returns the holder and its stack as an object that finds them on the thread of the log: a stack may be deep. */
    private static Object whereabouts(Turn turn) {
        return new Object() {
            @Override
            public String toString() {
                return describe(turn);
            }
        };
    }

    private static String describe(Turn turn) {
        Thread thread = turn.thread();
        if (thread == null) {
            return turn.holder() + " (no thread: acquired asynchronously)";
        }
        if (!thread.isAlive()) {
            return turn.holder() + ", a thread that has ended";
        }
        return turn.holder() + " at\n"
                + Words.of(Stream.of(thread.getStackTrace()).limit(FRAMES));
    }
}
