package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Update;
import java.util.ArrayList;
import java.util.List;

/**
 * No update is lost where writes carry tokens, whatever is paused or cut off: the register refuses those that come too
 * late. It never refuses somebody whose handle's last word is still good.
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
        boolean registered = timeline.count(event -> event.is(Kind.READY, Update.REGISTER)) > 0;
        boolean released = timeline.holds().stream()
                .anyMatch(hold -> hold.wish().isAlone()
                        && hold.releasingAt().isPresent()
                        && !hold.samples().isEmpty());
        if (registered && released && timeline.updates().isEmpty()) {
            found.add(new Violation(0, "K3: locks were held and given back, and nobody wrote to the register"));
        }
        return found;
    }
}
