package io.github.zklock.planted;

import io.github.zklock.planted.zookeeper.SecondPublicType;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;

/** Breaks every rule of {@code ArchitectureRule}, so that each can be seen to find its breach. */
public final class Breaches {

    CreateMode knowsZooKeeper() {
        return CreateMode.EPHEMERAL;
    }

    SecondPublicType isInACycle() {
        return new SecondPublicType(this);
    }

    void sleeps() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(1);
    }

    long readsAClock() {
        return System.currentTimeMillis();
    }

    Clock bringsAClock() {
        return Clock.systemUTC();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a breach
    void hasADeadlineOnTheTimerOfTheJdk(CompletableFuture<Void> future) {
        future.orTimeout(1, TimeUnit.SECONDS);
    }

    static final class SaysNothingInfo {}

    public static final class SynchronizedBlock {
        void run(Runnable action) {
            synchronized (this) {
                action.run();
            }
        }
    }

    public static final class SynchronizedMethod {
        synchronized void run(Runnable action) {
            action.run();
        }
    }
}
