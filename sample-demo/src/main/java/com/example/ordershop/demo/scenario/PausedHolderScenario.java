package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.Pause;
import com.example.ordershop.demo.process.Shop;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.LateWrite;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;
import java.util.Optional;

/**
 * Shows that the database rejects the transaction of a holder that was paused until its session expired. No lock can prevent this
 * transaction.
 */
final class PausedHolderScenario {

    /**
     * What a run observed.
     *
     * @param seconds duration of the pause
     * @param written the waiter's order
     * @param loss reason of the loss, as zk-lock reported it to the holder
     * @param late the holder's order
     * @param rejected the holder's transaction, if the fence has rejected it
     * @param afterwards statistics after {@code late}
     * @param end statistics after the holder's order was repeated
     */
    record Facts(
            double seconds,
            Completion written,
            String loss,
            Completion late,
            Optional<LateWrite> rejected,
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
        long stopped = System.nanoTime();
        try (Pause pause = holder.process().pause()) {
            cluster.report(holder + " is stopped (SIGSTOP)");
            pair.awaitEndOfSession();
            written = pair.waiterCompletion();
            cluster.report(
                    "%s has written order %d with token %d".formatted(pair.waiter, written.id(), written.token()));
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
        Optional<LateWrite> rejected =
                late.written() ? Optional.empty() : holder.client().latestLateWrite();
        Statistics afterwards = pair.statistics();
        cluster.report("%s begins the transaction of order %d: %s"
                .formatted(
                        holder,
                        late.id(),
                        rejected.map(write -> "the database rejects token " + write.token())
                                .orElse("it is not rejected")));

        Completion again = holder.client().complete(pair.first, true);
        Statistics end = pair.statistics();
        cluster.report("order %d repeated: %s; %s"
                .formatted(again.id(), again.written() ? "written" : "not written", end.numbers()));
        return new Facts(seconds, written, loss, late, rejected, afterwards, end);
    }

    static Verdict verdict(Facts facts) {
        long token = facts.written().token();
        Optional<LateWrite> rejected = facts.rejected()
                .filter(write -> write.laterToken() == token && write.token() > 0 && write.token() < token);
        boolean overtaken = facts.written().written()
                && rejected.isPresent()
                && !facts.late().written();
        boolean right = facts.afterwards().right()
                && facts.afterwards().orders() == 1
                && facts.end().right()
                && facts.end().orders() == 2;
        return Scenario.PAUSED.verdict(
                overtaken && right,
                "after a pause of %.1f s the transaction %s because token %d had written; the holder received the loss (%s); %s"
                        .formatted(
                                facts.seconds(),
                                rejected.map(write -> "with token " + write.token() + " was rejected")
                                        .orElse("was NOT REJECTED"),
                                token,
                                facts.loss(),
                                facts.end().numbers()));
    }
}
