package com.example.ordershop.demo.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.LateWrite;
import com.example.ordershop.demo.process.ShopClient.Statistics;
import com.example.ordershop.demo.process.ShopClient.Totals;
import com.example.ordershop.demo.scenario.LoadRun.CompletedOrder;
import com.example.ordershop.demo.scenario.QueueScenario.Acquisition;
import com.example.ordershop.demo.scenario.QueueScenario.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The verdicts of all scenarios, on observations made by hand. {@link DemonstrationTest} observes real processes. */
class ScenarioVerdictTest {

    private static final List<CompletedOrder> IN_TURN = LongStream.rangeClosed(1, 200)
            .mapToObj(token -> new CompletedOrder(token % 2 == 0 ? "shop-1" : "shop-2", token))
            .toList();

    @Test
    void withoutTheLockNineOfTenRunsMustBeWrong() {
        List<LoadRun> runs = new ArrayList<>(Collections.nCopies(9, load(IN_TURN, 150)));
        runs.add(load(IN_TURN, 200));

        assertThat(LoadScenario.off(runs))
                .isEqualTo(new Verdict(
                        "off",
                        true,
                        "wrong totals in 9 of 10 runs (at least 9 required): 2000 orders completed, 1550 in"
                                + " the statistics, 450 lost"));

        runs.set(0, load(IN_TURN, 200));
        assertThat(LoadScenario.off(runs).passed()).isFalse();
    }

    @Test
    void underTheLockEveryRunMustBeRight() {
        Verdict right = LoadScenario.on(List.of(load(IN_TURN, 200), load(IN_TURN, 200)));
        Verdict wrong = LoadScenario.on(List.of(load(IN_TURN, 199), load(IN_TURN, 200)));

        assertThat(right.passed()).isTrue();
        assertThat(right.text())
                .isEqualTo("right totals in 2 of 2 runs: 400 orders completed, 400 in the statistics, 0 lost; 100"
                        + " orders/s; 398 hand-overs of the lock between shops; 0 orders were repeated after their"
                        + " shop had lost the lock");
        assertThat(wrong.passed()).isFalse();
        assertThat(wrong.text()).contains("right totals in 1 of 2 runs", "1 lost");
    }

    @Test
    void aRunThatProvesNothingFailsWithTheReason() {
        Statistics all = statistics(200, 200);
        LoadRun failed = new LoadRun(IN_TURN, 0, List.of("no answer"), Duration.ofSeconds(2), all);
        LoadRun few = new LoadRun(IN_TURN, 0, List.of(), Duration.ofSeconds(2), statistics(199, 199));
        List<CompletedOrder> oneShop = IN_TURN.stream()
                .map(order -> new CompletedOrder("shop-1", order.token()))
                .toList();
        List<CompletedOrder> oneToken = IN_TURN.stream()
                .map(order -> new CompletedOrder(order.shop(), 7))
                .toList();
        List<CompletedOrder> oneAfterTheOther = IN_TURN.stream()
                .map(order -> new CompletedOrder(order.token() <= 100 ? "shop-1" : "shop-2", order.token()))
                .toList();

        assertThatItProvesNothing(failed, "1 of 200 orders failed, the first: no answer");
        assertThatItProvesNothing(few, "200 orders requested, 199 completed in the database");
        assertThatItProvesNothing(load(oneShop, 200), "only 1 of 2 shops completed orders");
        assertThatItProvesNothing(
                load(oneToken, 200),
                "200 orders were completed under 1 tokens: each acquisition must have a token of its own");
        assertThatItProvesNothing(load(oneAfterTheOther, 200), "the lock passed only 1 times from shop to shop");
    }

    @Test
    void tenClientsMustAcquireTheLockInQueueOrderOneAtATime() {
        List<Acquisition> inOrder = acquisitions();

        assertThat(QueueScenario.verdict(inOrder))
                .isEqualTo(new Verdict(
                        "queue",
                        true,
                        "10 clients with 10 sessions, each served once: 10 acquisitions, in the order of the"
                                + " queue, at most 1 at a time, tokens rising"));

        List<Acquisition> swapped = acquisitions();
        Collections.swap(swapped, 3, 4);
        assertThatItFails(swapped, "NOT IN the order of the queue");
        assertThatItFails(inOrder.subList(0, 9), "9 acquisitions");
        assertThatItFails(
                changed(new Acquisition("client-3", 3, 2, inOrder.get(2).queue())), "at most 2 at a time");
        assertThatItFails(
                changed(new Acquisition("client-3", 2, 1, inOrder.get(2).queue())), "tokens NOT RISING");
        // client-3 sees client-2, which was served before
        assertThatItFails(
                changed(new Acquisition("client-3", 3, 1, inOrder.get(1).queue())), "10 acquisitions");
        List<Acquisition> oneSession = acquisitions().stream()
                .map(each -> new Acquisition(
                        each.client(),
                        each.token(),
                        1,
                        each.queue().stream()
                                .map(place -> new Place(place.client(), "1"))
                                .toList()))
                .toList();
        assertThatItFails(oneSession, "10 clients with 1 sessions");
    }

    @Test
    void theLateWriteOfAPausedHolderMustBeRejected() {
        Statistics two = statistics(2, 2);

        Verdict rejected = PausedHolderScenario.verdict(paused(8, false, new LateWrite(7, 8), two));

        assertThat(rejected.passed()).isTrue();
        assertThat(rejected.text())
                .contains(
                        "after a pause of 9.0 s the transaction with token 7 was rejected because token 8 had written",
                        "the holder received the loss (session expired)",
                        "expected 2, found 2, lost 0");
        Verdict overwritten = PausedHolderScenario.verdict(paused(8, true, null, two));
        assertThat(overwritten.passed()).isFalse();
        assertThat(overwritten.text()).contains("was NOT REJECTED");
        assertThat(PausedHolderScenario.verdict(paused(8, false, null, two)).passed())
                .as("rejected by something else than the fence")
                .isFalse();
        assertThat(PausedHolderScenario.verdict(paused(6, false, new LateWrite(7, 8), two))
                        .passed())
                .as("the waiter wrote with another token")
                .isFalse();
        assertThat(PausedHolderScenario.verdict(paused(8, false, new LateWrite(7, 8), statistics(2, 1)))
                        .passed())
                .as("an order is lost at the end")
                .isFalse();
    }

    private static PausedHolderScenario.Facts paused(
            long waiter, boolean lateIsWritten, @Nullable LateWrite rejected, Statistics end) {
        return new PausedHolderScenario.Facts(
                9,
                new Completion(2, true, waiter),
                "session expired",
                new Completion(1, lateIsWritten, lateIsWritten ? 7 : 0),
                Optional.ofNullable(rejected),
                lateIsWritten ? statistics(2, 1) : statistics(1, 1),
                end);
    }

    @Test
    void aKilledHolderMustLeaveNoPartialWrite() {
        Completion written = new Completion(2, true, 8);
        Completion again = new Completion(1, true, 9);
        Statistics none = statistics(0, 0);
        Statistics one = statistics(1, 1);
        Statistics two = statistics(2, 2);

        Verdict clean =
                KilledHolderScenario.verdict(new KilledHolderScenario.Facts(6.5, none, written, one, again, two));
        Verdict partial = KilledHolderScenario.verdict(
                new KilledHolderScenario.Facts(6.5, none, written, statistics(1, 2), again, two));
        Verdict lost = KilledHolderScenario.verdict(
                new KilledHolderScenario.Facts(6.5, none, written, one, again, statistics(2, 1)));

        assertThat(clean)
                .isEqualTo(new Verdict(
                        "killed",
                        true,
                        "the next shop wrote 6.5 s after the kill; the killed shop left no partial write;"
                                + " expected 2, found 2, lost 0"));
        assertThat(partial.passed()).isFalse();
        assertThat(partial.text()).contains("LEFT A PARTIAL WRITE");
        assertThat(lost.passed()).isFalse();
        assertThat(lost.text()).contains("lost 1");
    }

    private static LoadRun load(List<CompletedOrder> orders, long counted) {
        return new LoadRun(orders, 0, List.of(), Duration.ofSeconds(2), statistics(200, counted));
    }

    private static Statistics statistics(long completed, long counted) {
        return new Statistics(counted, counted * 350, new Totals(completed, completed * 350), completed == counted);
    }

    private static void assertThatItProvesNothing(LoadRun run, String reason) {
        assertThat(LoadScenario.on(List.of(run)))
                .isEqualTo(new Verdict("on", false, "run 1 proves nothing: " + reason));
    }

    private static void assertThatItFails(List<Acquisition> acquisitions, String reason) {
        Verdict verdict = QueueScenario.verdict(acquisitions);
        assertThat(verdict.passed()).isFalse();
        assertThat(verdict.text()).contains(reason);
    }

    private static List<Acquisition> acquisitions() {
        List<Place> queue = IntStream.rangeClosed(1, 10)
                .mapToObj(number -> new Place("client-" + number, "session-" + number))
                .toList();
        return new ArrayList<>(IntStream.rangeClosed(1, 10)
                .mapToObj(number -> new Acquisition("client-" + number, number, 1, queue.subList(number - 1, 10)))
                .toList());
    }

    private static List<Acquisition> changed(Acquisition third) {
        List<Acquisition> acquisitions = acquisitions();
        acquisitions.set(2, third);
        return acquisitions;
    }
}
