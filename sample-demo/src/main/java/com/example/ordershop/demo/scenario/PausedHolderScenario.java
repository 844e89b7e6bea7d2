package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.Pause;
import com.example.ordershop.demo.process.Shop;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;

/** Shows that fencing rejects the write of a holder that was paused until its session expired. No lock can prevent this write. */
final class PausedHolderScenario {

    /**
     * What a run observed.
     *
     * @param seconds duration of the pause
     * @param written the waiter's order
     * @param whilePaused statistics after {@code written}
     * @param loss reason of the loss, as zk-lock reported it to the holder
     * @param late the holder's order
     * @param afterwards statistics after {@code late}
     * @param end statistics after the holder's order was repeated
     */
    record Facts(
            double seconds,
            Completion written,
            Statistics whilePaused,
            String loss,
            Completion late,
            Statistics afterwards,
            Statistics end) {}

    private PausedHolderScenario() {}

    static Verdict run(ShopCluster cluster) throws InterruptedException {
        if (!Pause.isPossible()) {
            return Scenario.PAUSED.verdict(false, "not shown: this operating system has no SIGSTOP");
        }
        try (HolderAndWaiter pair = HolderAndWaiter.begin(cluster)) {
            Facts facts = observe(pair, cluster);
            pair.end();
            return verdict(facts);
        }
    }

    private static Facts observe(HolderAndWaiter pair, ShopCluster cluster) throws InterruptedException {
        Shop holder = pair.holder;
        int lossesBefore = holder.client().losses(HolderAndWaiter.LOCK).size();
        Completion written;
        Statistics whilePaused;
        long stopped = System.nanoTime();
        try (Pause pause = holder.process().pause()) {
            cluster.report(holder + " is stopped (SIGSTOP)");
            pair.awaitEndOfSession();
            written = pair.waiterCompletion();
            whilePaused = pair.statistics();
            cluster.report(
                    "%s has written order %d with token %d".formatted(pair.waiter, written.id(), written.number()));
        }
        double seconds = (System.nanoTime() - stopped) / 1e9;
        cluster.report("%s continues (SIGCONT) after %.1f s".formatted(holder, seconds));
        holder.process()
                .await(
                        "zk-lock reports the loss of " + HolderAndWaiter.LOCK,
                        () -> holder.client().losses(HolderAndWaiter.LOCK).size() > lossesBefore);
        String loss = holder.client().losses(HolderAndWaiter.LOCK).get(0).reason();
        cluster.report("%s receives the loss of %s: %s".formatted(holder, HolderAndWaiter.LOCK, loss));

        // code that ignores the loss writes all the same
        holder.client().openGate();
        Completion late = pair.holderCompletion();
        Statistics afterwards = pair.statistics();
        cluster.report("%s writes the result for order %d with token %d: %s; stale writes rejected: %d"
                .formatted(holder, late.id(), late.number(), late.recomputed(), afterwards.refused()));

        Completion again = holder.client().complete(pair.first, true);
        Statistics end = pair.statistics();
        cluster.report("order %d repeated: %s; %s".formatted(again.id(), again.recomputed(), end.numbers()));
        return new Facts(seconds, written, whilePaused, loss, late, afterwards, end);
    }

    static Verdict verdict(Facts facts) {
        Completion written = facts.written();
        Completion late = facts.late();
        Statistics afterwards = facts.afterwards();
        boolean overtaken = written.isWritten()
                && facts.whilePaused().fence() == written.number()
                && written.number() > late.number()
                && late.number() > 0;
        boolean refused = late.isRefused() && facts.whilePaused().refused() == 0 && afterwards.refused() == 1;
        boolean right = afterwards.right()
                && afterwards.orders() == 1
                && facts.end().right()
                && facts.end().orders() == 2;
        return Scenario.PAUSED.verdict(
                overtaken && refused && right,
                "after a pause of %.1f s the write with token %d was %s because token %d had written: %d stale write rejected; the holder received the loss (%s); %s"
                        .formatted(
                                facts.seconds(),
                                late.number(),
                                late.isRefused() ? "rejected" : "NOT REJECTED (" + late.recomputed() + ")",
                                written.number(),
                                afterwards.refused(),
                                facts.loss(),
                                facts.end().numbers()));
    }
}
