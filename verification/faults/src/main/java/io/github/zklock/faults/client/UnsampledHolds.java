package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Many locks that a process holds without reports of their handles, in one session or in many. */
final class UnsampledHolds {

    // above the numbers of all other calls and grants of the process
    private static final long FIRST = 1_000_000;
    private static final int OPENED_AT_A_TIME = 4;

    private final ClientConfig config;
    private final AtomicLong callNumbers = new AtomicLong(FIRST);
    private final AtomicLong holds = new AtomicLong(FIRST);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<Engine> engines = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    UnsampledHolds(ClientConfig config) {
        this.config = config;
    }

    /** Holds locks of one engine, whose names end with "-0", "-1" and so on. */
    void hold(Engine engine, int count, String spec) {
        for (int i = 0; i < count; i++) {
            hold(engine, spec + "-" + i, () -> {});
        }
    }

    /**
     * Opens engines with a session each, and holds one lock of each. Opens a few at a time: with all at once, a busy
     * machine delays each of them.
     */
    void holdInSessions(int sessions, String spec) throws InterruptedException {
        Semaphore opening = new Semaphore(OPENED_AT_A_TIME);
        for (int i = 0; i < sessions; i++) {
            opening.acquire();
            Engine engine = Engine.open(config);
            engines.add(engine);
            hold(engine, spec + "-" + i, opening::release);
        }
        opening.acquire(OPENED_AT_A_TIME);
    }

    /** Releases all locks and closes the opened engines. */
    void releaseAll() throws Exception {
        released.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        for (Engine engine : engines) {
            engine.close();
        }
        engines.clear();
    }

    private void hold(Engine engine, String spec, Runnable granted) {
        Thread thread = new Thread(() -> ask(engine, LockCall.parse("forever", spec), granted), "holder-of-" + spec);
        threads.add(thread);
        thread.start();
    }

    private void ask(Engine engine, LockCall call, Runnable granted) {
        try {
            HoldReport.Call callReport = new HoldReport.Call(config, callNumbers.incrementAndGet(), call, holds);
            callReport.answered(engine.call(call, (heldLock, last) -> {
                HoldReport holdReport = callReport.granted(call.spec(), heldLock, engine);
                granted.run();
                awaitEnd();
                holdReport.releasing();
            }));
        } catch (InterruptedException | RuntimeException e) {
            config.report(Kind.FAILED, "message", e);
        }
    }

    private void awaitEnd() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
