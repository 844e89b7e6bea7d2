package com.example.ordershop.demo;

import com.example.ordershop.demo.ShopClient.Completion;
import com.example.ordershop.demo.ShopClient.Statistics;

/** Shows that a lock does not outlive its holder: the next one gets it when the session ends. */
final class KilledHolder implements Act {

    @Override
    public Verdict play(Stage stage, Load load, int runs) throws InterruptedException {
        try (Standoff standoff = Standoff.begin(stage)) {
            return play(stage, standoff);
        }
    }

    private static Verdict play(Stage stage, Standoff standoff) throws InterruptedException {
        Audience audience = stage.audience();
        ShopClient waiter = standoff.waiter.client();
        Statistics before = waiter.statistics(standoff.day);

        long killed = System.nanoTime();
        standoff.holder.close();
        audience.line(standoff.holder + " is killed (SIGKILL)");
        standoff.awaitEndOfSession();
        audience.line("the servers have ended its session " + standoff.session());
        Completion written = standoff.waitersAnswer();
        double seconds = (System.nanoTime() - killed) / 1e9;
        Statistics without = waiter.statistics(standoff.day);
        audience.line("%s has got the lock %.1f s after the kill and written order %d: expected %d, found %d"
                .formatted(
                        standoff.waiter, seconds, written.id(), without.truth().orders(), without.orders()));

        Completion again = waiter.complete(standoff.first, true);
        Statistics end = waiter.statistics(standoff.day);
        audience.line("order %d of the killed shop, done again by %s: %s; expected %d, found %d"
                .formatted(
                        again.id(),
                        standoff.waiter,
                        again.recomputed(),
                        end.truth().orders(),
                        end.orders()));
        standoff.end();

        boolean nothingHalf = before.truth().orders() == 0 && without.right() && without.orders() == 1;
        boolean right = !written.isRefused() && !again.isRefused() && end.right() && end.orders() == 2;
        return new Verdict(
                Scenario.KILLED.label(),
                nothingHalf && right && end.refused() == 0,
                "the next shop wrote %.1f s after the kill; %s; expected %d, found %d, lost %d"
                        .formatted(
                                seconds,
                                nothingHalf
                                        ? "the killed one left nothing half done"
                                        : "the killed one LEFT SOMETHING HALF DONE",
                                end.truth().orders(),
                                end.orders(),
                                end.truth().orders() - end.orders()));
    }
}
