package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One call for a lock in a client process, which tells how it is answered. To be used by the thread that asks. */
final class CallReport {

    private final String source;
    private final long number;
    private final LockCall call;
    private final AtomicLong holds;

    private @Nullable HoldReport holdReport;

    /**
     * To be made before the call.
     *
     * @param number counts the calls of the process
     * @param holds counts the grants of the process
     */
    CallReport(String source, long number, LockCall call, AtomicLong holds) {
        this.source = source;
        this.number = number;
        this.call = call;
        this.holds = holds;
        report(Kind.REQUESTED);
    }

    /** To be made as soon as the lock is there. */
    HoldReport granted(LockSpec spec, HeldLock heldLock, Engine engine) {
        HoldReport granted = new HoldReport(source, holds.incrementAndGet(), number, spec, heldLock);
        holdReport = granted;
        return granted.begin(engine.session());
    }

    /** To be said when what was granted last has ended in that way. */
    void closed(CallResult answer) {
        if (holdReport != null) {
            holdReport.closed(answer);
        }
    }

    void answered(CallResult answer) {
        if (holdReport != null) {
            holdReport.closed(answer);
            return;
        }
        switch (answer.outcome()) {
            case EMPTY -> refused(Kind.EMPTY, answer);
            case TIMEOUT -> refused(Kind.TIMEOUT, answer);
            case UNAVAILABLE -> refused(Kind.UNAVAILABLE, answer);
            case REFUSED -> refused(Kind.REFUSED, answer);
            case RELEASED, LOST, THREW, FAILED_BY_ERROR ->
                report(Kind.FAILED, "message", answer + " without a grant");
        }
    }

    private void refused(Kind kind, CallResult answer) {
        report(kind, "message", answer.message(), "flag", Thread.currentThread().isInterrupted());
    }

    void interrupted() {
        report(Kind.INTERRUPTED, "flag", Thread.currentThread().isInterrupted());
    }

    private void report(Kind kind, Object... keysAndValues) {
        Object[] all = new Object[keysAndValues.length + 4];
        all[0] = "ask";
        all[1] = number;
        all[2] = "call";
        all[3] = call;
        System.arraycopy(keysAndValues, 0, all, 4, keysAndValues.length);
        System.out.println(Event.of(source, System.nanoTime(), kind, all));
    }
}
