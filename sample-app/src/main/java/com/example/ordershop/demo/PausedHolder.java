package com.example.ordershop.demo;

import com.example.ordershop.demo.ShopClient.Completion;
import com.example.ordershop.demo.ShopClient.Loss;
import com.example.ordershop.demo.ShopClient.Statistics;
import java.util.List;

/** Shows what no lock can prevent, and the fence does: a holder that wakes up late still writes. */
final class PausedHolder implements Act {

    @Override
    public Verdict play(Stage stage, Load load, int runs) throws InterruptedException {
        if (!Pause.isPossible()) {
            return verdict(
                    false, "not shown: this system has no SIGSTOP, by which a process is stopped where it stands");
        }
        try (Standoff standoff = Standoff.begin(stage)) {
            return play(stage, standoff);
        }
    }

    private static Verdict play(Stage stage, Standoff standoff) throws InterruptedException {
        ShopProcess holder = standoff.holder;
        Audience audience = stage.audience();
        int lossesBefore = losses(holder).size();

        Completion written;
        Statistics whilePaused;
        long stopped = System.nanoTime();
        try (Pause pause = holder.pause()) {
            audience.line(holder + " is stopped (SIGSTOP)");
            standoff.awaitEndOfSession();
            audience.line("the servers have ended its session " + standoff.session());
            written = standoff.waitersAnswer();
            whilePaused = standoff.waiter.client().statistics(standoff.day);
            audience.line(
                    "%s has written order %d with token %d".formatted(standoff.waiter, written.id(), written.number()));
        }
        double seconds = (System.nanoTime() - stopped) / 1e9;
        audience.line("%s goes on (SIGCONT) after %.1f s".formatted(holder, seconds));
        holder.await(
                "it is told that it has lost " + Standoff.LOCK,
                () -> losses(holder).size() > lossesBefore);
        Loss told = losses(holder).get(0);
        audience.line("%s is told: lost %s, %s".formatted(holder, told.name(), told.reason()));

        // whoever does not listen to that writes all the same
        holder.client().openGate();
        Completion late = standoff.holdersAnswer();
        Statistics afterwards = standoff.waiter.client().statistics(standoff.day);
        audience.line("%s writes what it had computed of order %d, with token %d: %s; stale writes refused: %d"
                .formatted(holder, late.id(), late.number(), late.recomputed(), afterwards.refused()));

        Completion again = holder.client().complete(standoff.first, true);
        Statistics end = holder.client().statistics(standoff.day);
        audience.line("order %d done again: %s; expected %d, found %d"
                .formatted(again.id(), again.recomputed(), end.truth().orders(), end.orders()));
        standoff.end();

        boolean overtaken = !written.isRefused()
                && whilePaused.fence() == written.number()
                && written.number() > late.number()
                && late.number() > 0;
        boolean refused = late.isRefused() && whilePaused.refused() == 0 && afterwards.refused() == 1;
        boolean right = afterwards.right() && afterwards.orders() == 1 && end.right() && end.orders() == 2;
        return verdict(
                overtaken && refused && right,
                "after a pause of %.1f s the write with token %d was %s, since token %d had written: %d stale write refused; the holder was told (%s); expected %d, found %d, lost %d"
                        .formatted(
                                seconds,
                                late.number(),
                                late.isRefused() ? "refused" : "NOT REFUSED",
                                written.number(),
                                afterwards.refused(),
                                told.reason(),
                                end.truth().orders(),
                                end.orders(),
                                end.truth().orders() - end.orders()));
    }

    private static List<Loss> losses(ShopProcess shop) throws InterruptedException {
        return shop.client().losses().stream()
                .filter(loss -> loss.name().equals(Standoff.LOCK))
                .toList();
    }

    private static Verdict verdict(boolean passed, String text) {
        return new Verdict(Scenario.PAUSED.label(), passed, text);
    }
}
