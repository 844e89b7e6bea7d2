package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No fenced write to the register is lost, whatever is paused or isolated: the register rejects late writes. It never
 * rejects a write within the time for which the handle had answered "held", and every holder gets to write.
 */
public final class K3FencedWrites implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        for (RegisterWrite write : timeline.registerWrites()) {
            if (write.fenced() && write.overwritesAnother()) {
                found.add(new Violation(
                        write.at(),
                        "K3: %s assumed the number %d when it was %d, and the register accepted it"
                                .formatted(write, write.read(), write.found())));
            } else if (write.fenced() && write.refused() && write.isWhileHeld()) {
                found.add(new Violation(
                        write.at(),
                        "K3: %s was rejected %.3f ms after its handle had answered that it was held for %.3f ms"
                                .formatted(write, (write.at() - write.checkedAt()) / 1e6, write.remaining() / 1e6)));
            }
        }
        if (timeline.count(event -> event.is(Kind.READY, RegisterWrite.REGISTER)) > 0) {
            checkWritten(timeline, found);
        }
        return found;
    }

    /** Each holder that released its lock has written; otherwise the other rules of writes would check nothing. */
    private static void checkWritten(Timeline timeline, List<Violation> found) {
        Set<String> writers = timeline.registerWrites().stream()
                .filter(RegisterWrite::fenced)
                .map(write -> write.by() + "#" + write.hold())
                .collect(Collectors.toSet());
        for (Hold hold : timeline.holds()) {
            boolean hadToWrite = hold.spec().isExclusive()
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
