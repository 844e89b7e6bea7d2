package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ProgressListener;
import com.example.ordershop.demo.process.ShopClient;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;

/** Shows that ZooKeeper releases the lock of a killed holder when its session expires. */
final class KilledHolderScenario {

    private KilledHolderScenario() {}

    static Verdict run(ShopCluster cluster) throws InterruptedException {
        try (HolderAndWaiter pair = HolderAndWaiter.begin(cluster)) {
            return run(cluster, pair);
        }
    }

    private static Verdict run(ShopCluster cluster, HolderAndWaiter pair) throws InterruptedException {
        ProgressListener listener = cluster.listener();
        ShopClient waiter = pair.waiter.client();
        Statistics before = waiter.statistics(pair.day);

        long killed = System.nanoTime();
        pair.holder.close();
        listener.line(pair.holder + " is killed (SIGKILL)");
        pair.awaitEndOfSession();
        listener.line("ZooKeeper has ended its session " + pair.session());
        Completion written = pair.waiterCompletion();
        double seconds = (System.nanoTime() - killed) / 1e9;
        Statistics without = waiter.statistics(pair.day);
        listener.line("%s acquired the lock and wrote order %d %.1f s after the kill: expected %d, found %d"
                .formatted(pair.waiter, written.id(), seconds, without.truth().orders(), without.orders()));

        Completion again = waiter.complete(pair.first, true);
        Statistics end = waiter.statistics(pair.day);
        listener.line("order %d of the killed shop, repeated by %s: %s; expected %d, found %d"
                .formatted(
                        again.id(), pair.waiter, again.recomputed(), end.truth().orders(), end.orders()));
        pair.end();

        boolean noPartialWrite = before.truth().orders() == 0 && without.right() && without.orders() == 1;
        boolean right = !written.isRefused() && !again.isRefused() && end.right() && end.orders() == 2;
        return new Verdict(
                Scenario.KILLED.label(),
                noPartialWrite && right && end.refused() == 0,
                "the next shop wrote %.1f s after the kill; %s; expected %d, found %d, lost %d"
                        .formatted(
                                seconds,
                                noPartialWrite
                                        ? "the killed shop left no partial write"
                                        : "the killed shop LEFT A PARTIAL WRITE",
                                end.truth().orders(),
                                end.orders(),
                                end.truth().orders() - end.orders()));
    }
}
