package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No update is lost where writes carry tokens, whatever is paused or cut off: the register refuses those that come too
 * late. It never refuses somebody whose handle's last word is still good, and every holder comes to write.
 */
public final class K3FencedWrites implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        for (Update update : timeline.updates()) {
            if (update.fenced() && update.losesAnother()) {
                found.add(new Violation(
                        update.at(),
                        "K3: %s took the number for %d when it was %d, and the register let it through"
                                .formatted(update, update.read(), update.found())));
            } else if (update.fenced() && update.refused() && update.isInTime()) {
                found.add(new Violation(
                        update.at(),
                        "K3: %s was refused %.3f ms after its handle had said that it was held for %.3f ms"
                                .formatted(
                                        update, (update.at() - update.checkedAt()) / 1e6, update.remaining() / 1e6)));
            }
        }
        if (timeline.count(event -> event.is(Kind.READY, Update.REGISTER)) > 0) {
            checkWritten(timeline, found);
        }
        return found;
    }

    /** Each holder that came to its end has written, or the rules of writes judge nobody. */
    private static void checkWritten(Timeline timeline, List<Violation> found) {
        Set<String> writers = timeline.updates().stream()
                .filter(Update::fenced)
                .map(update -> update.by() + "#" + update.hold())
                .collect(Collectors.toSet());
        for (Hold hold : timeline.holds()) {
            boolean hadToWrite = hold.wish().isAlone()
                    && hold.token() != 0
                    && hold.releasingAt().isPresent()
                    && !hold.samples().isEmpty();
            if (hadToWrite && !writers.contains(hold.source() + "#" + hold.number())) {
                found.add(new Violation(
                        hold.releasingAt().orElseThrow(),
                        "K3: %s did not get to write to the register".formatted(hold)));
            }
        }
    }
}
