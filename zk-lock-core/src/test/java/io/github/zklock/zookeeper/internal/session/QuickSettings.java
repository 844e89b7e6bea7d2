package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import java.time.Duration;

/** The settings of an engine in a test, which makes the shortest pauses. */
public final class QuickSettings {

    public static final Settings SETTINGS = new Settings(
            "/locks",
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            new OwnerDescription("instance", "host", 1),
            SeatBudget.DEFAULT_BYTES);

    private QuickSettings() {}
}
