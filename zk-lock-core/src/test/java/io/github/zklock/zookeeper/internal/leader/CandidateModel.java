package io.github.zklock.zookeeper.internal.leader;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * One random schedule of several candidates for one leadership, on a model of the lock. The candidates run on their own
 * threads; the lock passes from one to the other when its holder releases or loses it. Between two random pauses, a proof
 * runs out or is renewed, a lock is lost, a request fails, a candidate steps down, is closed or is replaced by another one,
 * or a task is registered or withdrawn. Tasks end at once, at their interrupt, later, or by an exception.
 */
final class CandidateModel {

    /** What happened in all schedules, so that a test can show that it was played. */
    static final class Totals {
        final AtomicInteger terms = new AtomicInteger();
        final AtomicInteger losses = new AtomicInteger();
        final AtomicInteger unreportedLosses = new AtomicInteger();
        final AtomicInteger renewals = new AtomicInteger();
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger failures = new AtomicInteger();
        final AtomicInteger replaced = new AtomicInteger();

        @Override
        public String toString() {
            return ("%s terms, %s losses, %s of them not reported, %s renewals after a doubt, %s runs, %s failed,"
                            + " %s candidates replaced")
                    .formatted(terms, losses, unreportedLosses, renewals, runs, failures, replaced);
        }
    }

    private static final LockName NAME = LockName.of("/model");
    private static final int CANDIDATES = 3;
    private static final int STEPS = 12;
    private static final long LONGEST_PAUSE_MICROS = 1_000;
    /** The model reports nothing that is only late. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Random random;
    private final Totals totals;
    private final ModelLock lock = new ModelLock();
    private final List<Member> members = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

    CandidateModel(long seed, Totals totals) {
        this.random = new Random(seed);
        this.totals = totals;
    }

    /** Plays the schedule, and returns what was wrong. */
    List<String> play() throws InterruptedException {
        try {
            for (int i = 0; i < CANDIDATES; i++) {
                members.add(new Member());
            }
            for (int i = 0; i < STEPS; i++) {
                step();
                lock.check();
                TimeUnit.MICROSECONDS.sleep(random.nextLong(LONGEST_PAUSE_MICROS));
            }
            lock.rest();
            Member fresh = new Member();
            members.add(fresh);
            members.stream().filter(member -> member != fresh).forEach(Member::close);
            await("a term of the last candidate", fresh.candidate::isLeader);
        } finally {
            members.forEach(Member::close);
        }
        members.forEach(Member::checkEnd);
        lock.checkEnd();
        return List.copyOf(violations);
    }

    private void step() {
        Member member = members.get(random.nextInt(members.size()));
        switch (random.nextInt(9)) {
            case 0 -> lock.doubt();
            case 1 -> lock.renew();
            case 2 -> lock.lose(true);
            case 3 -> lock.lose(random.nextInt(8) > 0);
            case 4 -> lock.failNext();
            case 5 -> member.candidate.stepDown(Duration.ofNanos(random.nextInt(2) * 100_000L));
            case 6 -> member.register(random.nextInt(6));
            case 7 -> member.withdraw();
            default -> {
                if (random.nextInt(4) == 0) {
                    totals.replaced.incrementAndGet();
                    member.close();
                    members.set(members.indexOf(member), new Member());
                }
            }
        }
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(condition);
    }

    private void violation(String what) {
        violations.add(what);
    }

    /** A candidate, its tasks and its listener. */
    private final class Member implements Leadership.Listener {

        private final Candidate candidate = new Candidate(lock.forMember(this));
        private final List<Registration> registrations = new ArrayList<>();
        /** The tasks that run, and the handles that were granted and not closed. */
        private final AtomicInteger running = new AtomicInteger();

        private final AtomicInteger open = new AtomicInteger();
        // of the thread that notifies the listener
        private volatile long begun;
        private volatile long ended;

        Member() {
            candidate.addListener(this);
            register(random.nextInt(3));
            candidate.start();
        }

        void register(int kind) {
            Run run = new Run(this, kind);
            registrations.add(candidate.runWhileLeader(run::run));
        }

        void withdraw() {
            if (!registrations.isEmpty()) {
                registrations.remove(random.nextInt(registrations.size())).close();
            }
        }

        void close() {
            candidate.close();
            if (candidate.isLeader()) {
                violation("a closed candidate leads");
            }
        }

        void checkEnd() {
            await("the end of a candidate", () -> running.get() == 0 && open.get() == 0 && begun == ended);
        }

        @Override
        public void started(LockName name, FencingToken token) {
            if (begun != ended) {
                violation("term " + token + " began before term " + begun + " ended");
            }
            if (token.value() <= begun) {
                violation("term " + token + " began after term " + begun);
            }
            begun = token.value();
        }

        @Override
        public void stopped(LockName name, FencingToken token, String reason) {
            if (token.value() != begun || begun == ended) {
                violation("term " + token + " ended, term " + begun + " began, term " + ended + " ended last");
            }
            ended = token.value();
        }
    }

    /** A registered task. */
    private final class Run {

        private final Member member;
        private final int kind;
        private final AtomicInteger running = new AtomicInteger();
        private volatile long last;

        Run(Member member, int kind) {
            this.member = member;
            this.kind = kind;
        }

        void run(FencingToken token) throws InterruptedException {
            totals.runs.incrementAndGet();
            member.running.incrementAndGet();
            if (running.incrementAndGet() != 1) {
                violation("a task runs twice at the same time");
            }
            if (token.value() <= last) {
                violation("a task ran in term " + token + " after term " + last);
            }
            last = token.value();
            try {
                switch (kind) {
                    case 0, 1 -> TimeUnit.DAYS.sleep(1);
                    case 2 -> TimeUnit.MICROSECONDS.sleep(LONGEST_PAUSE_MICROS / 10);
                    case 3 -> member.candidate.stepDown(Duration.ZERO);
                    case 4 -> ignoreInterrupts();
                    default -> {
                        totals.failures.incrementAndGet();
                        throw new IllegalStateException("planted by the model");
                    }
                }
            } finally {
                running.decrementAndGet();
                member.running.decrementAndGet();
            }
        }

        private static void ignoreInterrupts() {
            long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(3 * LONGEST_PAUSE_MICROS);
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** The lock. Its monitor guards its fields, and the states of its handles. */
    private final class ModelLock {

        private final Deque<Object> queue = new ArrayDeque<>();
        private @Nullable ModelHandle holder;
        private boolean failing;
        private long tokens;

        ClusterLock forMember(Member member) {
            return CandidateTest.fake(ClusterLock.class, Map.of("name", () -> NAME, "acquire", () -> acquire(member)));
        }

        private synchronized LockHandle acquire(Member member) throws InterruptedException {
            if (failing) {
                failing = false;
                throw new IllegalStateException("planted by the model");
            }
            Object place = new Object();
            queue.add(place);
            try {
                while (holder != null || queue.peek() != place) {
                    wait();
                }
            } finally {
                queue.remove(place);
                notifyAll();
            }
            totals.terms.incrementAndGet();
            member.open.incrementAndGet();
            ModelHandle granted = new ModelHandle(this, member, new FencingToken(++tokens));
            holder = granted;
            return granted;
        }

        synchronized void doubt() {
            if (holder != null && holder.state == LockState.HELD) {
                holder.state = LockState.SUSPENDED;
            }
        }

        synchronized void renew() {
            if (holder != null && holder.state == LockState.SUSPENDED) {
                holder.state = LockState.HELD;
                totals.renewals.incrementAndGet();
            }
        }

        void lose(boolean reported) {
            List<Runnable> actions;
            synchronized (this) {
                if (holder == null) {
                    return;
                }
                holder.state = LockState.LOST;
                actions = List.copyOf(holder.onLost);
                holder = null;
                totals.losses.incrementAndGet();
                notifyAll();
            }
            if (reported) {
                actions.forEach(Runnable::run);
            } else {
                totals.unreportedLosses.incrementAndGet();
            }
        }

        synchronized void failNext() {
            failing = random.nextInt(8) == 0;
        }

        synchronized void rest() {
            failing = false;
            renew();
        }

        /** Checks that at most one candidate is the leader: no handle changes meanwhile. */
        synchronized void check() {
            long leaders = members.stream()
                    .filter(member -> member.candidate.isLeader())
                    .count();
            if (leaders > 1) {
                violation(leaders + " leaders");
            }
            if (leaders == 1 && (holder == null || holder.state != LockState.HELD)) {
                violation("a leader whose lock is not held");
            }
        }

        synchronized void checkEnd() {
            if (holder != null) {
                violation("the lock is still held, by term " + holder.token);
            }
        }
    }

    private final class ModelHandle implements LockHandle {

        private final ModelLock of;
        private final Member member;
        private final FencingToken token;
        // guarded by the monitor of the lock
        private final List<Runnable> onLost = new ArrayList<>();
        private LockState state = LockState.HELD;

        ModelHandle(ModelLock of, Member member, FencingToken token) {
            this.of = of;
            this.member = member;
            this.token = token;
        }

        @Override
        public LockName name() {
            return NAME;
        }

        @Override
        public LockKind kind() {
            return LockKind.EXCLUSIVE;
        }

        @Override
        public FencingToken fencingToken() {
            return token;
        }

        @Override
        public LockState state() {
            synchronized (of) {
                return state;
            }
        }

        @Override
        public boolean isHeld() {
            return state() == LockState.HELD;
        }

        @Override
        public Duration remaining() {
            return isHeld() ? LONG : Duration.ZERO;
        }

        @Override
        public void ensureHeld() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Registration onLost(Runnable action) {
            boolean lost;
            synchronized (of) {
                onLost.add(action);
                lost = state == LockState.LOST;
            }
            if (lost) {
                action.run();
            }
            return () -> {};
        }

        @Override
        public void loseAfter(Duration limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            if (member.running.get() > 0) {
                violation("the lock of term " + token + " is released while a task runs");
            }
            synchronized (of) {
                if (state == LockState.RELEASED) {
                    violation("the lock of term " + token + " is released twice");
                    return;
                }
                member.open.decrementAndGet();
                if (state == LockState.LOST) {
                    throw new LockLostException(NAME, "lost");
                }
                state = LockState.RELEASED;
                of.holder = null;
                of.notifyAll();
            }
        }

        @Override
        public CompletionStage<Void> released() {
            throw new UnsupportedOperationException();
        }
    }
}
