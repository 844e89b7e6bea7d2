package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reports one call for a lock and its answer. The calling thread uses it. */
final class CallReport {

    private final String source;
    private final long number;
    private final LockCall call;
    private final AtomicLong holds;

    private @Nullable HoldReport holdReport;

    /**
     * Created before the call.
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

    /** Creates the report of a grant, as soon as the lock is granted. */
    HoldReport granted(LockSpec spec, HeldLock heldLock, Engine engine) {
        HoldReport granted = new HoldReport(source, holds.incrementAndGet(), number, spec, heldLock);
        holdReport = granted;
        return granted.begin(engine.session());
    }

    /** Reports the end of the last grant. */
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
            case RELEASED, LOST, THREW, FAILED_BY_ERROR -> report(Kind.FAILED, "message", answer + " without a grant");
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
        all[0] = "callNumber";
        all[1] = number;
        all[2] = "call";
        all[3] = call;
        System.arraycopy(keysAndValues, 0, all, 4, keysAndValues.length);
        System.out.println(Event.of(source, System.nanoTime(), kind, all));
    }
}
