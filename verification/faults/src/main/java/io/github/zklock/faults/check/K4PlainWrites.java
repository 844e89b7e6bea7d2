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
 * No update is lost where writes carry no token either, as long as each reaches the register while the last word of its
 * holder's handle is good. A holder that is stopped between its last look and its write is beyond the help of any lock;
 * an update that it spoils, or that is lost because it was one, is nobody's fault.
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
            // whoever had read before a late write came writes over it in good faith
            boolean inGoodFaith = write.readAt() < lastLate.getOrDefault(write.cell(), Long.MIN_VALUE);
            if (write.losesAnother() && !late && !inGoodFaith) {
                found.add(new Violation(
                        write.at(),
                        "K4: %s took the number for %d when it was %d: the update of %s is lost"
                                .formatted(
                                        write,
                                        write.read(),
                                        write.found(),
                                        last.containsKey(write.cell())
                                                ? last.get(write.cell()).by()
                                                : "nobody")));
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
        // a handle that does not say for how long gives no measure
        return stopped || (write.remaining() > 0 && !write.isInTime());
    }
}
