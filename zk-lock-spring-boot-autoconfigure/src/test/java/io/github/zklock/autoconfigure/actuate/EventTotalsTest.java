package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventTotalsTest {

    private final EventTotals totals = new EventTotals();

    @Test
    void longestWaitIsFirst() {
        acquired("/orders", 40);
        acquired("/stock", 30);
        timedOut("/stock", 1_000);
        acquired("/reports", 100);

        assertThat(totals.hot())
                .containsExactly(
                        new LocksReport.Hot("/stock", "PT1.03S", 1, 1),
                        new LocksReport.Hot("/reports", "PT0.1S", 1, 0),
                        new LocksReport.Hot("/orders", "PT0.04S", 1, 0));
    }

    @Test
    void waitForTheServersAloneDoesNotCount() {
        acquired("/orders", 9);

        assertThat(totals.hot()).isEmpty();
    }

    @Test
    void tenAreReported() {
        for (int name = 0; name < 50; name++) {
            acquired("/orders/" + name, 20 + name);
        }

        assertThat(totals.hot()).hasSize(10).extracting(LocksReport.Hot::name).startsWith("/orders/49", "/orders/48");
    }

    @Test
    void hotLockIsFoundAmongManyNames() {
        for (int name = 0; name < 10_000; name++) {
            acquired("/orders/" + name, 10);
            if (name % 50 == 0) {
                acquired("/stock", 100);
            }
        }

        LocksReport.Hot first = totals.hot().get(0);
        assertThat(first.name()).isEqualTo("/stock");
        assertThat(Duration.parse(first.waited())).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
    }

    private void acquired(String name, int millis) {
        totals.onEvent(
                new LockEvent.Acquired(LockName.of(name), new FencingToken(1), Duration.ofMillis(millis), false));
    }

    private void timedOut(String name, int millis) {
        totals.onEvent(new LockEvent.TimedOut(LockName.of(name), Duration.ofMillis(millis)));
    }
}
