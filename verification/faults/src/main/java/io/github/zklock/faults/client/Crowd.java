package io.github.zklock.faults.client;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Many locks that a process keeps without looking at them, over one session or over many. */
final class Crowd {

    // above the numbers of all other calls and grants of the process
    private static final long FIRST = 1_000_000;
    private static final int OPENED_AT_A_TIME = 4;

    private final Place place;
    private final AtomicLong asks = new AtomicLong(FIRST);
    private final AtomicLong holds = new AtomicLong(FIRST);
    private final CountDownLatch disbanded = new CountDownLatch(1);
    private final List<Engine> engines = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    Crowd(Place place) {
        this.place = place;
    }

    /** Keeps so many locks of one engine: those of this wish with "-0", "-1" and so on behind its name. */
    void keep(Engine engine, int count, String wish) {
        for (int i = 0; i < count; i++) {
            keep(engine, wish + "-" + i, () -> {});
        }
    }

    /**
     * Opens so many engines, each with a session of its own, and keeps one lock of each. A few at a time: a machine that is
     * busy with all of them at once keeps each waiting for long.
     */
    void gather(int sessions, String wish) throws InterruptedException {
        Semaphore opening = new Semaphore(OPENED_AT_A_TIME);
        for (int i = 0; i < sessions; i++) {
            opening.acquire();
            Engine engine = Engines.open(place);
            engines.add(engine);
            keep(engine, wish + "-" + i, opening::release);
        }
        opening.acquire(OPENED_AT_A_TIME);
    }

    /** Gives everything back. */
    void disband() throws Exception {
        disbanded.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        for (Engine engine : engines) {
            engine.close();
        }
        engines.clear();
    }

    private void keep(Engine engine, String wish, Runnable granted) {
        Thread thread = new Thread(() -> ask(engine, Call.parse("forever", wish), granted), "crowd-" + wish);
        threads.add(thread);
        thread.start();
    }

    private void ask(Engine engine, Call call, Runnable granted) {
        try {
            Question question = new Question(place.instance(), asks.incrementAndGet(), call, holds);
            question.answered(engine.call(call, (grip, last) -> {
                Holding holding = question.granted(call.wish(), grip, engine);
                granted.run();
                awaitEnd();
                holding.releasing();
            }));
        } catch (InterruptedException | RuntimeException e) {
            System.out.println(Event.of(place.instance(), System.nanoTime(), Kind.FAILED, "message", e));
        }
    }

    private void awaitEnd() {
        try {
            disbanded.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
