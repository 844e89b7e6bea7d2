package io.github.zklock.test;

import io.github.zklock.LockEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at what is held from time to time: for how long, and whether its handle was forgotten. */
final class HoldWatch {

    private static final Logger LOG = LoggerFactory.getLogger(HoldWatch.class);
    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(50);

    private final Member member;
    private boolean running;

    HoldWatch(Member member) {
        this.member = member;
    }

    /** Looks for as long as something is held. */
    void begin() {
        if (!running) {
            running = true;
            member.alarms().after(PERIOD, this::look);
        }
    }

    private void look() {
        running = false;
        if (!member.holdings().turns().isEmpty()) {
            List.copyOf(member.holdings().turns()).forEach(this::look);
            begin();
        }
    }

    private void look(Turn turn) {
        Duration longHold = turn.policy().holdWarning();
        if (longHold != null && turn.tellLongHold(longHold)) {
            LOG.warn("Lock '{}' has been held for {} by {}", turn.name(), turn.held(), turn.holder());
            member.listeners().tell(new LockEvent.HeldLong(turn.name(), turn.token(), turn.held(), turn.holder()));
        }
        if (turn.tellLeak()) {
            LOG.warn(
                    "Lock '{}', acquired by {} {} ago, can no longer be given back: its handle was dropped without close()."
                            + " It stays taken until its session ends",
                    turn.name(),
                    turn.holder(),
                    turn.held());
            member.listeners().tell(new LockEvent.Leaked(turn.name(), turn.token()));
        }
    }
}
