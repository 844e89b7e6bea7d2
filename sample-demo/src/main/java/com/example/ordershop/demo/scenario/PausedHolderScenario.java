package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.Pause;
import com.example.ordershop.demo.process.ProgressListener;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Loss;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.process.ShopProcess;
import java.util.List;

/** Shows that fencing rejects the write of a holder that was paused until its session expired. No lock can prevent this write. */
final class PausedHolderScenario {

    private PausedHolderScenario() {}

    static Verdict run(ShopCluster cluster) throws InterruptedException {
        if (!Pause.isPossible()) {
            return verdict(false, "not shown: this operating system has no SIGSTOP");
        }
        try (HolderAndWaiter pair = HolderAndWaiter.begin(cluster)) {
            return run(cluster, pair);
        }
    }

    private static Verdict run(ShopCluster cluster, HolderAndWaiter pair) throws InterruptedException {
        ShopProcess holder = pair.holder;
        ProgressListener listener = cluster.listener();
        int lossesBefore = losses(holder).size();

        Completion written;
        Statistics whilePaused;
        long stopped = System.nanoTime();
        try (Pause pause = holder.pause()) {
            listener.line(holder + " is stopped (SIGSTOP)");
            pair.awaitEndOfSession();
            listener.line("ZooKeeper has ended its session " + pair.session());
            written = pair.waiterCompletion();
            whilePaused = pair.waiter.client().statistics(pair.day);
            listener.line(
                    "%s has written order %d with token %d".formatted(pair.waiter, written.id(), written.number()));
        }
        double seconds = (System.nanoTime() - stopped) / 1e9;
        listener.line("%s continues (SIGCONT) after %.1f s".formatted(holder, seconds));
        holder.await(
                "zk-lock reports the loss of " + HolderAndWaiter.LOCK,
                () -> losses(holder).size() > lossesBefore);
        Loss reported = losses(holder).get(0);
        listener.line("%s receives the loss of %s: %s".formatted(holder, reported.name(), reported.reason()));

        // code that ignores the loss writes all the same
        holder.client().openGate();
        Completion late = pair.holderCompletion();
        Statistics afterwards = pair.waiter.client().statistics(pair.day);
        listener.line("%s writes the result for order %d with token %d: %s; stale writes rejected: %d"
                .formatted(holder, late.id(), late.number(), late.recomputed(), afterwards.refused()));

        Completion again = holder.client().complete(pair.first, true);
        Statistics end = holder.client().statistics(pair.day);
        listener.line("order %d repeated: %s; expected %d, found %d"
                .formatted(again.id(), again.recomputed(), end.truth().orders(), end.orders()));
        pair.end();

        boolean overtaken = !written.isRefused()
                && whilePaused.fence() == written.number()
                && written.number() > late.number()
                && late.number() > 0;
        boolean refused = late.isRefused() && whilePaused.refused() == 0 && afterwards.refused() == 1;
        boolean right = afterwards.right() && afterwards.orders() == 1 && end.right() && end.orders() == 2;
        return verdict(
                overtaken && refused && right,
                "after a pause of %.1f s the write with token %d was %s because token %d had written: %d stale write rejected; the holder received the loss (%s); expected %d, found %d, lost %d"
                        .formatted(
                                seconds,
                                late.number(),
                                late.isRefused() ? "rejected" : "NOT REJECTED",
                                written.number(),
                                afterwards.refused(),
                                reported.reason(),
                                end.truth().orders(),
                                end.orders(),
                                end.truth().orders() - end.orders()));
    }

    private static List<Loss> losses(ShopProcess shop) throws InterruptedException {
        return shop.client().losses().stream()
                .filter(loss -> loss.name().equals(HolderAndWaiter.LOCK))
                .toList();
    }

    private static Verdict verdict(boolean passed, String text) {
        return new Verdict(Scenario.PAUSED.label(), passed, text);
    }
}
