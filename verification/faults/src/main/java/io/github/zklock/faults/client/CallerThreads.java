package io.github.zklock.faults.client;

import static java.util.stream.Collectors.joining;

import io.github.zklock.LockKind;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The threads of a client process that acquire locks. */
final class CallerThreads {

    private static final Duration UNTIL_RELEASED = Duration.ofDays(1);
    private static final long AFTER_REFUSAL_MILLIS = 20;
    private static final long BETWEEN_RUNS_MILLIS = 100;
    private static final Duration UNDER_ANOTHER = Duration.ofMillis(50);
    // a thread that waits longer than this, although no other holds the lock, is stuck
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final ClientConfig config;
    private final Engine.Present engine;
    private final AtomicLong callNumbers = new AtomicLong();
    private final AtomicLong holds = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Future<?>> tasks = new CopyOnWriteArrayList<>();
    private final List<Thread> interruptible = new CopyOnWriteArrayList<>();
    /** The number of the current call of each thread. */
    private final Map<Thread, Long> currentCalls = new ConcurrentHashMap<>();

    private volatile CountDownLatch release = new CountDownLatch(1);
    private volatile CountDownLatch downgrade = new CountDownLatch(1);

    /** @param engine the present engine of the process, which may be closed and replaced */
    CallerThreads(ClientConfig config, Engine.Present engine) {
        this.config = config;
        this.engine = engine;
    }

    void loop(int count, Duration time, LockCall call) {
        loop(Thread::new, count, time, call);
    }

    /** Does the same in virtual threads, if the JDK has them. */
    void loopVirtual(int count, Duration time, LockCall call) {
        loop(Jdk.virtualThreads().orElse(Thread::new), count, time, call);
    }

    private void loop(ThreadFactory factory, int count, Duration time, LockCall call) {
        for (int i = 0; i < count; i++) {
            start(factory, () -> {
                while (ended.getCount() > 0) {
                    call(call, ended, time);
                }
            });
        }
    }

    void hold(LockSpec spec) {
        CountDownLatch end = new CountDownLatch(1);
        release = end;
        interruptible.add(start(() -> call(LockCall.forever(spec), end, UNTIL_RELEASED)));
    }

    /** Holds the write lock until {@link #downgrade()}, and then the read lock until {@link #release()}. */
    void holdDowngrading(String lock) {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        downgrade = written;
        release = read;
        start(() -> holdAndDowngrade(lock, written, read, UNTIL_RELEASED));
    }

    /** Holds the write lock and then the read lock, for this long each, again and again. */
    void loopDowngrading(Duration time, String lock) {
        start(() -> {
            while (ended.getCount() > 0) {
                holdAndDowngrade(lock, ended, ended, time);
            }
        });
    }

    void once(Duration time, LockCall call) {
        engine.get().prepare(call);
        interruptible.add(start(() -> call(call, ended, time)));
    }

    /** Is a candidate for a leadership, and ends each term after this time. */
    void lead(Duration time, String name) {
        LockSpec spec = new LockSpec(LockKind.EXCLUSIVE, 1, 1, name);
        LockCall call = LockCall.forever(spec);
        start(() -> engine.get()
                .lead(
                        name,
                        ended,
                        leadership -> callAndReport(call, callReport -> {
                            callReport
                                    .granted(spec, leadership, engine.get())
                                    .until(ended, time, Engine.Work.NOTHING_ELSE);
                            return CallResult.of(
                                    leadership.isLost() ? CallResult.Outcome.LOST : CallResult.Outcome.RELEASED);
                        })));
    }

    /** Begins a run of a job whenever it is due, and works for this long in each run. Reports the runs only. */
    void runJob(Duration window, Duration time, String name) {
        LockSpec spec = new LockSpec(LockKind.EXCLUSIVE, 1, 1, name);
        LockCall call = new LockCall(LockCall.How.TRY, Duration.ZERO, spec);
        start(() -> {
            while (!ended.await(BETWEEN_RUNS_MILLIS, TimeUnit.MILLISECONDS)) {
                List<HoldReport.Call> begun = new ArrayList<>(1);
                CallResult result = engine.get().job(name, window, (heldLock, last) -> {
                    HoldReport.Call run = new HoldReport.Call(config, callNumbers.incrementAndGet(), call, holds);
                    begun.add(run);
                    run.granted(spec, heldLock, engine.get()).until(ended, time, last);
                });
                begun.forEach(run -> run.answered(result));
            }
        });
    }

    /** Asks the servers about this many semaphores that no process uses, without waiting for the answers. */
    void ask(LockRegistry registry, int count) {
        for (int i = 0; i < count; i++) {
            String semaphore = "asked-" + i;
            start(() -> {
                try {
                    registry.semaphore(semaphore, 1).availablePermits();
                } catch (LockUnavailableException unanswered) {
                    // the requests matter, not the answers
                }
            });
        }
    }

    /** Acquires the lock once, and throws an Error while holding it. */
    void onceFailing(Duration time, LockCall call) {
        engine.get().prepare(call);
        interruptible.add(start(() -> fail(call, time)));
    }

    /** Acquires the outer lock, and after this long the inner one while it holds the outer one. */
    void nest(LockSpec outer, Duration time, LockCall inner) {
        Engine.Work nested = (heldLock, last) -> heldLock.inScope(() -> callUnderAnother(inner));
        LockCall call = LockCall.forever(outer);
        start(() -> callAndReport(call, callReport -> hold(call, callReport, ended, time, nested)));
    }

    private void callUnderAnother(LockCall inner) {
        try {
            call(inner, ended, UNDER_ANOTHER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Submits tasks to the pool of the application, each of which acquires the lock once. */
    void runInPool(int count, Duration time, LockCall call) {
        engine.get().prepare(call);
        for (int i = 0; i < count; i++) {
            FutureTask<?> task = new FutureTask<>(guarded(() -> call(call, ended, time)), null);
            tasks.add(task);
            engine.get().executor().execute(task);
        }
    }

    void release() {
        release.countDown();
    }

    void downgrade() {
        downgrade.countDown();
    }

    void interrupt() {
        interrupt(interruptible);
    }

    private void interrupt(List<Thread> them) {
        List<Long> interrupted = new ArrayList<>();
        for (Thread thread : them) {
            Long call = currentCalls.get(thread);
            thread.interrupt();
            if (call != null) {
                interrupted.add(call);
            }
        }
        config.report(
                Kind.INTERRUPTING,
                "callNumbers",
                interrupted.stream().map(call -> Long.toString(call)).collect(joining(",")));
    }

    /** Releases all locks, and waits until that is done. */
    void end() throws InterruptedException, ExecutionException {
        ended.countDown();
        downgrade.countDown();
        release.countDown();
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        List<Thread> stuck = threads.stream().filter(Thread::isAlive).toList();
        if (!stuck.isEmpty()) {
            interrupt(stuck);
        }
        for (Thread thread : stuck) {
            thread.join();
        }
        for (Future<?> task : tasks) {
            task.get();
        }
    }

    private void call(LockCall call, CountDownLatch end, Duration time) throws InterruptedException {
        CallResult result =
                callAndReport(call, callReport -> hold(call, callReport, end, time, (heldLock, last) -> last.run()));
        if (result.outcome() == CallResult.Outcome.REFUSED) {
            end.await(AFTER_REFUSAL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void fail(LockCall call, Duration time) throws InterruptedException {
        OutOfMemoryError made = new OutOfMemoryError("made by the work");
        callAndReport(call, callReport -> {
            try {
                return hold(call, callReport, ended, time, (heldLock, last) -> {
                    last.run();
                    throw made;
                });
            } catch (OutOfMemoryError thrown) {
                if (thrown != made) {
                    throw thrown;
                }
                return CallResult.ofWork(CallResult.Outcome.FAILED_BY_ERROR, thrown);
            }
        });
    }

    /** Acquires a lock, holds it, and then does this work under it. */
    private CallResult hold(
            LockCall call, HoldReport.Call callReport, CountDownLatch end, Duration time, Engine.Work work)
            throws InterruptedException {
        return engine.get()
                .call(
                        call,
                        (heldLock, last) -> callReport
                                .granted(call.spec(), heldLock, engine.get())
                                .until(end, time, () -> work.under(heldLock, last)));
    }

    private void holdAndDowngrade(String lock, CountDownLatch written, CountDownLatch read, Duration time)
            throws InterruptedException {
        LockSpec write = new LockSpec(LockKind.WRITE, 1, 1, lock);
        LockSpec reading = new LockSpec(LockKind.READ, 1, 1, lock);
        callAndReport(
                LockCall.forever(write),
                callReport -> engine.get()
                        .downgrade(
                                lock,
                                (heldLock, last) -> callReport
                                        .granted(write, heldLock, engine.get())
                                        .until(written, time, last),
                                (heldLock, last) -> {
                                    callReport.closed(CallResult.of(CallResult.Outcome.RELEASED));
                                    callReport
                                            .granted(reading, heldLock, engine.get())
                                            .until(read, time, last);
                                }));
    }

    private CallResult callAndReport(LockCall call, ReportedCall reportedCall) throws InterruptedException {
        long number = callNumbers.incrementAndGet();
        HoldReport.Call callReport = new HoldReport.Call(config, number, call, holds);
        currentCalls.put(Thread.currentThread(), number);
        try {
            CallResult result = reportedCall.call(callReport);
            callReport.answered(result);
            return result;
        } catch (InterruptedException e) {
            callReport.interrupted();
            throw e;
        } finally {
            currentCalls.remove(Thread.currentThread());
        }
    }

    private Thread start(Body body) {
        return start(Thread::new, body);
    }

    private Thread start(ThreadFactory factory, Body body) {
        Thread thread = factory.newThread(guarded(body));
        threads.add(thread);
        thread.start();
        return thread;
    }

    private Runnable guarded(Body body) {
        return () -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                // reported by the call that threw
            } catch (Exception | Error unexpected) {
                config.report(Kind.FAILED, "message", unexpected);
            }
        };
    }

    @FunctionalInterface
    private interface ReportedCall {
        CallResult call(HoldReport.Call callReport) throws InterruptedException;
    }

    @FunctionalInterface
    private interface Body {
        void run() throws InterruptedException;
    }
}
