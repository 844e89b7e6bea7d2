package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Trouble;
import io.github.zklock.faults.record.Update;
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
        Trouble trouble = Trouble.on(timeline);
        List<Violation> found = new ArrayList<>();
        Map<String, Update> last = new HashMap<>();
        Map<String, Long> lastLate = new HashMap<>();
        for (Update update : timeline.updates()) {
            if (update.fenced()) {
                continue;
            }
            boolean late = isLate(update, trouble);
            // whoever had read before a late write came writes over it in good faith
            boolean inGoodFaith = update.readAt() < lastLate.getOrDefault(update.cell(), Long.MIN_VALUE);
            if (update.losesAnother() && !late && !inGoodFaith) {
                found.add(new Violation(
                        update.at(),
                        "K4: %s took the number for %d when it was %d: the update of %s is lost"
                                .formatted(
                                        update,
                                        update.read(),
                                        update.found(),
                                        last.containsKey(update.cell())
                                                ? last.get(update.cell()).by()
                                                : "nobody")));
            }
            if (late) {
                lastLate.put(update.cell(), update.at());
            }
            last.put(update.cell(), update);
        }
        return found;
    }

    private static boolean isLate(Update update, Trouble trouble) {
        boolean stopped = trouble.spans().stream()
                .anyMatch(span -> span.kind() == Kind.PAUSED
                        && span.source().equals(update.by())
                        && span.from() < update.at()
                        && span.until() > update.checkedAt());
        // a handle that does not say for how long gives no measure
        return stopped || (update.remaining() > 0 && !update.isInTime());
    }
}
