package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.util.HashMap;
import java.util.Map;

/**
 * No write without a token is lost if it reaches the register within the time for which its handle had answered "held".
 * No lock can protect the write of a process that is paused after it has checked its handle; such late writes, and the
 * losses that they cause, are not violations.
 */
public final class K4PlainWrites extends Checker {

    public K4PlainWrites(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        Map<String, RegisterWrite> last = new HashMap<>();
        Map<String, Long> lastLate = new HashMap<>();
        for (RegisterWrite write : timeline.registerWrites()) {
            if (write.fenced()) {
                continue;
            }
            boolean late = isLate(write);
            // a process that read before a late write overwrites it through no fault of its own
            boolean inGoodFaith = write.readAt() < lastLate.getOrDefault(write.cell(), Long.MIN_VALUE);
            RegisterWrite before = last.put(write.cell(), write);
            if (write.overwritesAnother() && !late && !inGoodFaith) {
                String text = "K4: %s assumed the number %d when it was %d: the update of %s is lost";
                String other = before == null ? "an unknown process" : before.by();
                report(write.at(), text, write, write.read(), write.found(), other);
            }
            if (late) {
                lastLate.put(write.cell(), write.at());
            }
        }
    }

    private boolean isLate(RegisterWrite write) {
        boolean stopped = faults.intervals().stream()
                .anyMatch(interval -> interval.kind() == Kind.PAUSED
                        && interval.source().equals(write.by())
                        && interval.from() < write.at()
                        && interval.until() > write.checkedAt());
        // without a remaining time there is no limit to compare with
        return stopped || (write.remaining() > 0 && !write.isWhileHeld());
    }
}
