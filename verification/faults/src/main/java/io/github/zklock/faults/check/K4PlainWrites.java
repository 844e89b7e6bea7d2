package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * No write without a token is lost if it reaches the register within the time for which its handle had answered "held".
 * No lock can protect the write of a process that is paused after it has checked its handle; such late writes, and the
 * losses that they cause, are not violations.
 */
public final class K4PlainWrites implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        FaultIntervals faults = FaultIntervals.on(timeline);
        List<Violation> found = new ArrayList<>();
        Map<String, RegisterWrite> last = new HashMap<>();
        Map<String, Long> lastLate = new HashMap<>();
        for (RegisterWrite write : timeline.registerWrites()) {
            if (write.fenced()) {
                continue;
            }
            boolean late = isLate(write, faults);
            // a process that read before a late write overwrites it through no fault of its own
            boolean inGoodFaith = write.readAt() < lastLate.getOrDefault(write.cell(), Long.MIN_VALUE);
            if (write.overwritesAnother() && !late && !inGoodFaith) {
                found.add(new Violation(
                        write.at(),
                        "K4: %s assumed the number %d when it was %d: the update of %s is lost"
                                .formatted(
                                        write,
                                        write.read(),
                                        write.found(),
                                        last.containsKey(write.cell())
                                                ? last.get(write.cell()).by()
                                                : "an unknown process")));
            }
            if (late) {
                lastLate.put(write.cell(), write.at());
            }
            last.put(write.cell(), write);
        }
        return found;
    }

    private static boolean isLate(RegisterWrite write, FaultIntervals faults) {
        boolean stopped = faults.intervals().stream()
                .anyMatch(interval -> interval.kind() == Kind.PAUSED
                        && interval.source().equals(write.by())
                        && interval.from() < write.at()
                        && interval.until() > write.checkedAt());
        // without a remaining time there is no limit to compare with
        return stopped || (write.remaining() > 0 && !write.isWhileHeld());
    }
}
