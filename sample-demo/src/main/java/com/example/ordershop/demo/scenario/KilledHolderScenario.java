package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;

/** Shows that ZooKeeper releases the lock of a killed holder when its session expires. */
final class KilledHolderScenario {

    /**
     * What a run observed.
     *
     * @param seconds time from the kill to the waiter's write
     * @param before statistics before the kill
     * @param written the waiter's order
     * @param without statistics without the order of the killed shop
     * @param again the order of the killed shop, repeated by the waiter
     * @param end statistics at the end
     */
    record Facts(
            double seconds,
            Statistics before,
            Completion written,
            Statistics without,
            Completion again,
            Statistics end) {}

    private KilledHolderScenario() {}

    static Verdict run(ShopCluster cluster) throws InterruptedException {
        try (HolderAndWaiter pair = HolderAndWaiter.begin(cluster)) {
            Facts facts = observe(pair, cluster);
            pair.end();
            return verdict(facts);
        }
    }

    private static Facts observe(HolderAndWaiter pair, ShopCluster cluster) throws InterruptedException {
        Statistics before = pair.statistics();
        long killed = System.nanoTime();
        pair.holder.process().close();
        cluster.report(pair.holder + " is killed (SIGKILL)");
        pair.awaitEndOfSession();
        Completion written = pair.waiterCompletion();
        double seconds = (System.nanoTime() - killed) / 1e9;
        Statistics without = pair.statistics();
        cluster.report("%s acquired the lock and wrote order %d %.1f s after the kill: %s"
                .formatted(pair.waiter, written.id(), seconds, without.numbers()));

        Completion again = pair.waiter.client().complete(pair.first, true);
        Statistics end = pair.statistics();
        cluster.report("order %d of the killed shop, repeated by %s: %s; %s"
                .formatted(again.id(), pair.waiter, again.written() ? "written" : "not written", end.numbers()));
        return new Facts(seconds, before, written, without, again, end);
    }

    static Verdict verdict(Facts facts) {
        Statistics end = facts.end();
        boolean noPartialWrite = facts.before().truth().orders() == 0
                && facts.without().right()
                && facts.without().orders() == 1;
        boolean right = facts.written().written() && facts.again().written() && end.right() && end.orders() == 2;
        return Scenario.KILLED.verdict(
                noPartialWrite && right,
                "the next shop wrote %.1f s after the kill; %s; %s"
                        .formatted(
                                facts.seconds(),
                                noPartialWrite
                                        ? "the killed shop left no partial write"
                                        : "the killed shop LEFT A PARTIAL WRITE",
                                end.numbers()));
    }
}
