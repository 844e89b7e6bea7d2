package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No fenced write to the register is lost, whatever is paused or isolated: the register rejects late writes. It never
 * rejects a write within the time for which the handle had answered "held", and every holder gets to write.
 */
public final class K3FencedWrites extends Checker {

    public K3FencedWrites(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        for (RegisterWrite write : timeline.registerWrites()) {
            if (write.fenced() && write.overwritesAnother()) {
                String text = "K3: %s assumed the number %d when it was %d, and the register accepted it";
                report(write.at(), text, write, write.read(), write.found());
            } else if (write.fenced() && write.refused() && write.isWhileHeld()) {
                String text = "K3: %s was rejected %.3f ms after its handle had answered that it was held for %.3f ms";
                report(write.at(), text, write, (write.at() - write.checkedAt()) / 1e6, write.remaining() / 1e6);
            }
        }
        if (timeline.count(event -> event.is(Kind.READY, RegisterWrite.REGISTER)) > 0) {
            checkWritten();
        }
    }

    /** Each holder that released its lock has written; otherwise the other rules of writes would check nothing. */
    private void checkWritten() {
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
                report(hold.releasingAt().orElseThrow(), "K3: %s did not get to write to the register", hold);
            }
        }
    }
}
