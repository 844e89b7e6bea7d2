package io.github.zklock.faults.client;

import static java.util.stream.Collectors.joining;

import io.github.zklock.LockKind;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Wish;
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

/** The threads of a client process that ask for locks. */
final class Calls {

    private static final Duration UNTIL_RELEASED = Duration.ofDays(1);
    private static final long AFTER_REFUSAL_MILLIS = 20;
    // whoever waits for longer than this for what nobody has any more is not served
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String source;
    private final Engine engine;
    private final AtomicLong asks = new AtomicLong();
    private final AtomicLong holds = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Future<?>> tasks = new CopyOnWriteArrayList<>();
    private final List<Thread> interruptible = new CopyOnWriteArrayList<>();
    /** The call that each thread makes. */
    private final Map<Thread, Long> asking = new ConcurrentHashMap<>();

    private volatile CountDownLatch release = new CountDownLatch(1);
    private volatile CountDownLatch downgrade = new CountDownLatch(1);

    Calls(String source, Engine engine) {
        this.source = source;
        this.engine = engine;
    }

    void loop(int count, Duration time, Call call) {
        loop(Thread::new, count, time, call);
    }

    void loop(ThreadFactory factory, int count, Duration time, Call call) {
        for (int i = 0; i < count; i++) {
            start(factory, () -> {
                while (ended.getCount() > 0) {
                    ask(call, ended, time);
                }
            });
        }
    }

    void hold(Wish wish) {
        CountDownLatch end = new CountDownLatch(1);
        release = end;
        interruptible.add(start(() -> ask(new Call(Call.How.FOREVER, Duration.ZERO, wish), end, UNTIL_RELEASED)));
    }

    /** Holds a lock to write until {@link #downgrade()}, and then to read until {@link #release()}. */
    void holdDowngrading(String lock) {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        downgrade = written;
        release = read;
        start(() -> becomeReader(lock, written, read, UNTIL_RELEASED));
    }

    /** Writes, and becomes a reader, again and again; so long each. */
    void loopDowngrading(Duration time, String lock) {
        start(() -> {
            while (ended.getCount() > 0) {
                becomeReader(lock, ended, ended, time);
            }
        });
    }

    void once(Duration time, Call call) {
        engine.prepare(call);
        interruptible.add(start(() -> ask(call, ended, time)));
    }

    /** Asks once, and throws an Error under the lock. */
    void onceFailing(Duration time, Call call) {
        engine.prepare(call);
        interruptible.add(start(() -> fail(call, time)));
    }

    /** Gives the application's pool so many tasks that ask once. */
    void crowd(int count, Duration time, Call call) {
        engine.prepare(call);
        for (int i = 0; i < count; i++) {
            FutureTask<?> task = new FutureTask<>(guarded(() -> ask(call, ended, time)), null);
            tasks.add(task);
            engine.executor().execute(task);
        }
    }

    void release() {
        release.countDown();
    }

    void downgrade() {
        downgrade.countDown();
    }

    void tellTheTime() {
        say(Kind.CLOCK, "millis", System.currentTimeMillis());
    }

    void interrupt() {
        interrupt(interruptible);
    }

    private void interrupt(List<Thread> them) {
        List<Long> interrupted = new ArrayList<>();
        for (Thread thread : them) {
            Long ask = asking.get(thread);
            thread.interrupt();
            if (ask != null) {
                interrupted.add(ask);
            }
        }
        say(
                Kind.INTERRUPTING,
                "asks",
                interrupted.stream().map(ask -> Long.toString(ask)).collect(joining(",")));
    }

    /** Gives everything back and waits until that is done. */
    void end() throws InterruptedException, ExecutionException {
        ended.countDown();
        downgrade.countDown();
        release.countDown();
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (Thread thread : threads) {
            join(thread, end);
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

    private static void join(Thread thread, long end) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left > 0) {
            thread.join(left);
        }
    }

    private void ask(Call call, CountDownLatch end, Duration time) throws InterruptedException {
        Answer answer = answer(
                call,
                question -> engine.call(
                        call,
                        (grip, last) ->
                                question.granted(call.wish(), grip, engine).until(end, time, last)));
        if (answer.outcome() == Answer.Outcome.REFUSED) {
            end.await(AFTER_REFUSAL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void fail(Call call, Duration time) throws InterruptedException {
        OutOfMemoryError made = new OutOfMemoryError("made by the work");
        answer(call, question -> {
            try {
                return engine.call(
                        call,
                        (grip, last) -> question.granted(call.wish(), grip, engine)
                                .until(ended, time, () -> {
                                    last.run();
                                    throw made;
                                }));
            } catch (OutOfMemoryError thrown) {
                if (thrown != made) {
                    throw thrown;
                }
                return Answer.ofWork(Answer.Outcome.FAILED_BY_ERROR, thrown);
            }
        });
    }

    private void becomeReader(String lock, CountDownLatch written, CountDownLatch read, Duration time)
            throws InterruptedException {
        Wish write = new Wish(LockKind.WRITE, 1, 1, lock);
        Wish reading = new Wish(LockKind.READ, 1, 1, lock);
        answer(
                new Call(Call.How.FOREVER, Duration.ZERO, write),
                question -> engine.downgrade(
                        lock,
                        (grip, last) -> question.granted(write, grip, engine).until(written, time, last),
                        (grip, last) -> {
                            question.closed(Answer.of(Answer.Outcome.GIVEN_BACK));
                            question.granted(reading, grip, engine).until(read, time, last);
                        }));
    }

    private Answer answer(Call call, Asking asked) throws InterruptedException {
        long number = asks.incrementAndGet();
        Question question = new Question(source, number, call, holds);
        asking.put(Thread.currentThread(), number);
        try {
            Answer answer = asked.ask(question);
            question.answered(answer);
            return answer;
        } catch (InterruptedException e) {
            question.interrupted();
            throw e;
        } finally {
            asking.remove(Thread.currentThread());
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
                // the call that threw it has said so
            } catch (Exception | Error unexpected) {
                say(Kind.FAILED, "message", unexpected);
            }
        };
    }

    void say(Kind kind, Object... keysAndValues) {
        System.out.println(Event.of(source, System.nanoTime(), kind, keysAndValues));
    }

    @FunctionalInterface
    private interface Asking {
        Answer ask(Question question) throws InterruptedException;
    }

    @FunctionalInterface
    private interface Body {
        void run() throws InterruptedException;
    }
}
