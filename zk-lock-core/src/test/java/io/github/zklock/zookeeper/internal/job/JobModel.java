package io.github.zklock.zookeeper.internal.job;

import io.github.zklock.FakeHandle;
import io.github.zklock.FencingToken;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.OncePer;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One random schedule of the jobs of several processes, on a model of the servers. One step follows the other, in any
 * order: a server executes the oldest request of a session, an answer arrives, a task runs, a caller acts, time passes, or
 * a fault happens.
 *
 * <p>The servers execute and answer the requests of a session in their order. If a connection breaks, they may have
 * executed any number of the requests that were not answered, from the first one on. If a process gives up its session,
 * they may still execute its requests until they expire the session, which also removes its seats.
 */
final class JobModel {

    /** What happened in all schedules, so that a test can show that it was played. */
    static final class Totals {
        int begun;
        int notDue;
        int fast;
        int successes;
        int abandoned;
        int cancelled;
        int unknownWrites;
        int lostRuns;
        int deleted;

        @Override
        public String toString() {
            return ("%d begun, %d not due, %d of them by fast timers, %d successes, %d abandoned, %d cancelled, %d writes of unknown outcome, %d lost,"
                            + " %d records deleted")
                    .formatted(begun, notDue, fast, successes, abandoned, cancelled, unknownWrites, lostRuns, deleted);
        }
    }

    private static final int INSTANCES = 3;
    private static final int STEPS = 200;
    private static final int MOST_STEPS_AT_ONCE = 40;
    private static final int MOST_STEPS_UNTIL_REST = 20_000;
    private static final Duration LONG = Duration.ofDays(1);
    private static final Instant START = Instant.parse("2026-03-02T12:00:00Z");
    private static final String BASE = "/locks";

    /** Jobs whose records are in one folder. */
    private static final List<LockName> JOBS =
            List.of(LockName.of("/jobs/Aa"), LockName.of("/jobs/BB"), LockName.of("/jobs/bb"));

    private final Random random;
    private final OncePer window;
    private final Totals totals;
    private final List<Instance> instances = new ArrayList<>();
    private final Map<LockName, Deque<Seat>> queues = new HashMap<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private final Servers servers = new Servers();
    private final List<Run> runs = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private long tokens;

    JobModel(long seed, OncePer window, Totals totals) {
        this.random = new Random(seed);
        this.window = window;
        this.totals = totals;
        JOBS.forEach(job -> queues.put(job, new ArrayDeque<>()));
        for (int i = 0; i < INSTANCES; i++) {
            instances.add(new Instance("p" + i));
        }
    }

    /** Plays the schedule, and returns what was wrong. */
    List<String> play() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        rest();
        attempts.stream()
                .filter(attempt -> !attempt.result.isDone())
                .forEach(attempt -> violations.add("a call of " + attempt.job + " was never answered"));
        queues.forEach((job, queue) -> {
            if (!queue.isEmpty()) {
                violations.add("the lock of " + job + " was never released");
            }
        });
        checkDistances();
        servers.checkNoRunIsRecordedThatHasNotBegun();
        servers.now = servers.now.plus(window.window().multipliedBy(2));
        for (LockName job : JOBS) {
            int before = runs.size();
            instances.get(0).begin(job, null);
            rest();
            if (runs.size() == before) {
                violations.add(job + " was due at the end, and has not begun");
            }
        }
        return violations;
    }

    // the schedule

    private void step() {
        Instance instance = instances.get(random.nextInt(INSTANCES));
        switch (random.nextInt(24)) {
            case 0, 1 -> instance.begin(oneOf(JOBS), random.nextInt(3) == 0 ? Duration.ZERO : null);
            case 2, 3 -> instance.endRun();
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    instance.cancel();
                }
            }
            case 5 -> pass();
            case 6, 7 -> instance.breakConnection();
            case 8 -> {
                if (random.nextInt(3) == 0) {
                    instance.giveUpSession();
                }
            }
            default -> {
                for (int i = random.nextInt(MOST_STEPS_AT_ONCE); i > 0; i--) {
                    goOn(instances.get(random.nextInt(INSTANCES)));
                }
            }
        }
    }

    private void goOn(Instance instance) {
        switch (random.nextInt(5)) {
            case 0 -> instance.execute();
            case 1 -> instance.answer();
            case 2 -> instance.expire();
            case 3 -> grant(oneOf(JOBS));
            default -> {
                if (!tasks.isEmpty()) {
                    tasks.remove(random.nextInt(tasks.size())).run();
                }
            }
        }
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void pass() {
        Duration most =
                random.nextInt(10) == 0 ? Duration.ofDays(30) : window.window().dividedBy(3);
        servers.now = servers.now.plusMillis(random.nextInt((int) Math.min(Integer.MAX_VALUE, most.toMillis())));
    }

    /** Goes on without faults until nothing happens any more. */
    private void rest() {
        for (int i = 0; i < MOST_STEPS_UNTIL_REST; i++) {
            if (tasks.isEmpty()
                    && instances.stream().allMatch(Instance::isIdle)
                    && queues.values().stream().allMatch(queue -> queue.isEmpty() || queue.peek().handle != null)
                    && instances.stream().noneMatch(Instance::closeRun)) {
                return;
            }
            goOn(instances.get(random.nextInt(INSTANCES)));
        }
        violations.add("the processes have not come to rest");
    }

    private void grant(LockName job) {
        Deque<Seat> queue = queues.get(job);
        queue.removeIf(seat -> seat.handle == null && seat.answer.isDone());
        Seat first = queue.peek();
        if (first != null && first.handle == null) {
            first.answer.complete(first.grant(new FencingToken(++tokens)));
        }
    }

    // the checks

    /** Compares the runs whose work was done. */
    private void checkDistances() {
        for (Run first : runs) {
            for (Run second : runs) {
                if (first.job.equals(second.job) && counts(first, second)) {
                    boolean isFast = second.attempt.refusedBy.contains(first.begin.at);
                    Instant due =
                            first.begin.at.plus(window.window()).minus(isFast ? Duration.ZERO : window.tolerance());
                    if (second.begin.at.isBefore(due)) {
                        violations.add("%s began at %s, in the window of the run of %s"
                                .formatted(first.job, second.begin.at, first.begin.at));
                    }
                }
            }
        }
    }

    /** Returns whether the second run must be a window away from the first one. */
    private boolean counts(Run first, Run second) {
        if (first.begin.number >= second.begin.number || first.abandoned || second.abandoned) {
            return false;
        }
        Write success = servers.successes.get(first.token());
        return window.counting() != OncePer.Counting.SUCCEEDED
                || (first.succeeded && success != null && success.number < second.begin.number);
    }

    /** Checks that a run counted at some instant of this call. */
    private void checkNotDue(Attempt attempt, Set<Instant> refusedBy) {
        Map<Long, Write> counting =
                window.counting() == OncePer.Counting.SUCCEEDED ? servers.successes : servers.begins;
        boolean justified = counting.keySet().stream().anyMatch(token -> {
            Write begin = servers.begins.get(token);
            Long undone = servers.undone.get(token);
            return begin != null
                    && begin.job.equals(attempt.job)
                    && (undone == null || undone > attempt.number)
                    && (isEarly(begin, attempt) || isEarlyOfAFastTimer(begin, attempt, refusedBy));
        });
        if (!justified) {
            violations.add("%s was skipped at %s without a run that counts".formatted(attempt.job, attempt.at));
        }
    }

    private boolean isEarly(Write begin, Attempt attempt) {
        return begin.at.plus(window.window()).minus(window.tolerance()).isAfter(attempt.at);
    }

    private boolean isEarlyOfAFastTimer(Write begin, Attempt attempt, Set<Instant> refusedBy) {
        boolean isFast = refusedBy.contains(begin.at)
                && begin.at.plus(window.window()).isAfter(attempt.at)
                && !isEarly(begin, attempt);
        totals.fast += isFast ? 1 : 0;
        return isFast;
    }

    /**
     * A write that a server has executed.
     *
     * @param number in the order of all writes
     */
    private record Write(LockName job, Instant at, long number) {}

    /**
     * A call that begins a job.
     *
     * @param refusedBy the begins of the runs in the middle of whose windows this process had called before
     */
    private record Attempt(
            LockName job, Instant at, long number, Set<Instant> refusedBy, CompletableFuture<LockHandle> result) {}

    /** A run whose work has started. */
    private static final class Run {
        private final LockName job;
        private final FakeHandle handle;
        private final Write begin;
        private final Attempt attempt;
        private boolean abandoned;
        private boolean succeeded;

        Run(Attempt attempt, FakeHandle handle, Write begin) {
            this.attempt = attempt;
            this.job = attempt.job;
            this.handle = handle;
            this.begin = begin;
        }

        long token() {
            return handle.fencingToken().value();
        }

        void close() {
            try {
                handle.close();
            } catch (LockLostException lost) {
                // the model counts losses where they happen
            }
        }
    }

    // the locks

    private static final class Seat {
        private final LockName job;
        private final Instance instance;
        private final CompletableFuture<LockHandle> answer = new CompletableFuture<>();
        private @Nullable FakeHandle handle;

        Seat(LockName job, Instance instance) {
            this.job = job;
            this.instance = instance;
        }

        FakeHandle grant(FencingToken token) {
            FakeHandle granted = new FakeHandle(job, token, new ArrayList<>());
            granted.onClose(() -> {
                if (granted.isHeld()) {
                    delete();
                }
            });
            handle = granted;
            return granted;
        }

        void lose() {
            if (handle != null && !handle.state().isFinal()) {
                handle.become(LockState.LOST);
            }
        }

        void delete() {
            instance.send(new Request(instance.session, "release", new byte[0], this));
        }
    }

    // the servers

    private static final class Request {

        private static final String VERSION = " version ";

        private final String text;
        private final byte[] data;
        private final PinnedSession session;
        /** The seat that this request deletes; null for a request about a record. */
        private final @Nullable Seat seat;

        private @Nullable Outcome outcome;
        private @Nullable Object value;

        Request(PinnedSession session, String text, byte[] data, @Nullable Seat seat) {
            this.session = session;
            this.text = text;
            this.data = data;
            this.seat = seat;
        }

        String path() {
            return operand(text.indexOf(' ') + 1);
        }

        private String operand(int begin) {
            int end = text.indexOf(' ', begin);
            return end < 0 ? text.substring(begin) : text.substring(begin, end);
        }

        String operation() {
            return operand(0);
        }

        int version() {
            int at = text.indexOf(VERSION);
            return at < 0 ? Change.ANY_VERSION : Integer.parseInt(text.substring(at + VERSION.length()));
        }

        boolean isWrite() {
            return text.startsWith("Create") || text.startsWith("Delete") || text.contains(VERSION);
        }
    }

    private final class Servers {

        private final Set<String> folders = new HashSet<>();
        private final Map<String, WireSession.Node> records = new HashMap<>();
        private final Map<String, PinnedSession> temporary = new HashMap<>();
        private Instant now = START;
        private long writes;

        // by the token of the run
        private final Map<Long, Write> begins = new HashMap<>();
        private final Map<Long, Write> successes = new HashMap<>();
        private final Map<Long, Long> undone = new HashMap<>();

        void execute(Request request) {
            if (request.seat != null) {
                queues.get(request.seat.job).remove(request.seat);
                answer(request, Outcome.OK, null);
                return;
            }
            String path = request.path();
            WireSession.Node present = records.get(path);
            switch (request.operation()) {
                case "makeFolder" -> {
                    folders.add(path);
                    folders.add(path.substring(0, path.lastIndexOf('/')));
                    answer(request, Outcome.OK, null);
                }
                case "list" ->
                    answer(
                            request,
                            Outcome.OK,
                            records.keySet().stream()
                                    .filter(record -> record.startsWith(path + "/"))
                                    .map(record -> record.substring(path.length() + 1))
                                    .toList());
                case "read" -> answer(request, present == null ? Outcome.NO_NODE : Outcome.OK, present);
                case "CreateEphemeral" -> {
                    if (present != null) {
                        answer(request, Outcome.NODE_EXISTS, null);
                    } else {
                        WireSession.Node mark = RecordedSession.node(request.data, 0, now.toEpochMilli());
                        records.put(path, mark);
                        temporary.put(path, request.session);
                        answer(request, Outcome.OK, mark);
                    }
                }
                case "Create" -> {
                    if (!folders.contains(path.substring(0, path.lastIndexOf('/')))) {
                        answer(request, Outcome.NO_NODE, null);
                    } else if (present != null) {
                        answer(request, Outcome.NODE_EXISTS, null);
                    } else {
                        write(request, 0);
                    }
                }
                case "Write", "Delete" -> {
                    if (folders.contains(path)) {
                        // only for the time of the answer
                        answer(request, Outcome.OK, RecordedSession.node(new byte[0], 1, now.toEpochMilli()));
                    } else if (present == null) {
                        answer(request, Outcome.NO_NODE, null);
                    } else if (request.version() != Change.ANY_VERSION && request.version() != present.version()) {
                        answer(request, Outcome.REFUSED, null);
                    } else if (request.operation().equals("Write")) {
                        write(request, present.version() + 1);
                    } else {
                        if (temporary.remove(path) == null) {
                            delete(present);
                        }
                        records.remove(path);
                        answer(request, Outcome.OK, null);
                    }
                }
                default -> throw new AssertionError(request.text);
            }
        }

        private void write(Request request, int version) {
            writes++;
            WireSession.Node before = records.get(request.path());
            WireSession.Node after = RecordedSession.node(request.data, version, now.toEpochMilli());
            records.put(request.path(), after);
            Write write = new Write(jobOf(request.path()), now, writes);
            if (!new String(request.data, StandardCharsets.UTF_8).contains("\"begun\"")) {
                begins.put(tokenOf(after), write);
            } else if (before == null || tokenOf(before) == tokenOf(after)) {
                successes.put(tokenOf(after), write);
            } else {
                undo(before);
            }
            answer(request, Outcome.OK, after);
        }

        /** A run that has not begun must not count for the next ones. */
        private void checkNoRunIsRecordedThatHasNotBegun() {
            records.values().stream()
                    .filter(record -> counts(new RunRecord(record)))
                    .filter(record -> {
                        long token = tokenOf(record);
                        // a run that was lost cannot be abandoned any more
                        return undone.containsKey(token) || runs.stream().noneMatch(run -> run.token() == token);
                    })
                    .forEach(record -> violations.add("a run is recorded that has not begun: "
                            + new String(record.data(), StandardCharsets.UTF_8)));
        }

        private boolean counts(RunRecord record) {
            Instant counting = window.counting() == OncePer.Counting.SUCCEEDED ? record.succeeded() : record.begun();
            return counting != null
                    && !window.isOver(counting, now)
                    && record.lastRun().isPresent();
        }

        /** Only records that no window needs any more may be deleted. */
        private void delete(WireSession.Node deleted) {
            if (!RunRecords.isUnused(new RunRecord(deleted), now)) {
                violations.add(
                        "a record was deleted that is in use: " + new String(deleted.data(), StandardCharsets.UTF_8));
            }
            totals.deleted++;
        }

        /** Deletes what ends with the session. */
        void expire(PinnedSession session) {
            temporary.entrySet().removeIf(owned -> {
                if (owned.getValue() != session) {
                    return false;
                }
                records.remove(owned.getKey());
                return true;
            });
        }

        private void undo(WireSession.Node removed) {
            undone.putIfAbsent(tokenOf(removed), writes);
        }

        private static void answer(Request request, Outcome outcome, @Nullable Object value) {
            request.outcome = outcome;
            request.value = value;
        }

        /** Returns the token of the run; 0 for a record without a run. */
        private static long tokenOf(WireSession.Node record) {
            return new RunRecord(record)
                    .lastRun()
                    .map(run -> run.token().value())
                    .orElse(0L);
        }

        private static LockName jobOf(String path) {
            return JOBS.stream()
                    .filter(job ->
                            path.endsWith(job.value().substring(job.value().lastIndexOf('/') + 1)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    // the processes

    /** A session that a process has given up, and that the servers have not expired yet. */
    private record GivenUp(PinnedSession session, Deque<Request> requests, List<Seat> seats) {}

    private final class Instance implements SessionQuestions {

        private final Job.Shared shared;
        /** The requests that no server has executed yet, and those that are not answered yet. */
        private final Deque<Request> sent = new ArrayDeque<>();

        private final Deque<Request> executed = new ArrayDeque<>();
        private final Deque<GivenUp> givenUp = new ArrayDeque<>();
        private final List<Run> open = new ArrayList<>();
        private final List<Attempt> waiting = new ArrayList<>();
        /** The begins of the runs that have refused a call in the middle of their windows, and that may have done so. */
        private final Map<LockName, Set<Instant>> refused = new HashMap<>();

        private final Map<LockName, Set<Instant>> perhapsRefused = new HashMap<>();
        private final Set<LockName> cancelled = new HashSet<>();
        private RecordedSession wire = new RecordedSession();
        private PinnedSession session = session(wire);

        Instance(String id) {
            this.shared = new Job.Shared(
                    new RunRecords(this, BASE, id, tasks::add),
                    LONG,
                    new DirectSteps(tasks::add),
                    // at once: the model checks that the lock is held when the run begins
                    Runnable::run,
                    () -> 0,
                    handle -> true);
        }

        private static PinnedSession session(RecordedSession wire) {
            return new PinnedSession(
                    new EngineRun(Runnable::run),
                    wire,
                    wire.ungrouped(),
                    new ManualTime(Runnable::run),
                    (source, outcome) -> {});
        }

        @Override
        public <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            request.accept(session, (outcome, value) -> answer.complete(value));
            sendAll();
            return answer;
        }

        private void sendAll() {
            wire.sent().forEach(text -> send(new Request(session, text, wire.written(), null)));
        }

        void send(Request request) {
            sent.add(request);
        }

        boolean isIdle() {
            return sent.isEmpty() && executed.isEmpty() && givenUp.isEmpty();
        }

        // the callers

        @SuppressWarnings("FutureReturnValueIgnored") // no step depends on the last stage
        void begin(LockName name, @Nullable Duration wait) {
            Job job = job(name);
            CompletableFuture<LockHandle> result = job.beginAsync(wait);
            Set<Instant> refusedBy = refused.computeIfAbsent(name, each -> new HashSet<>());
            Attempt attempt = new Attempt(name, servers.now, servers.writes, Set.copyOf(refusedBy), result);
            attempts.add(attempt);
            waiting.add(attempt);
            result.whenComplete((handle, failure) -> {
                waiting.remove(attempt);
                if (handle != null) {
                    started(attempt, (FakeHandle) handle);
                } else if (failure instanceof JobNotDueException notDue) {
                    totals.notDue++;
                    notDue(attempt, notDue.begun());
                }
            });
        }

        /** The servers were asked between the call and now. */
        private void notDue(Attempt attempt, Instant begun) {
            Set<Instant> perhaps = perhapsRefused.computeIfAbsent(attempt.job, each -> new HashSet<>());
            if (cancelled.contains(attempt.job)) {
                // the servers may have answered such a call at any time
                servers.begins.values().forEach(begin -> perhaps.add(begin.at));
            }
            checkNotDue(attempt, perhaps);
            if (begun.plus(window.tolerance()).isBefore(attempt.at)) {
                refused.get(attempt.job).add(begun);
            }
            if (begun.plus(window.tolerance()).isBefore(servers.now)) {
                perhaps.add(begun);
            }
        }

        private void started(Attempt attempt, FakeHandle handle) {
            LockName job = attempt.job;
            Write begin = servers.begins.get(handle.fencingToken().value());
            if (begin == null) {
                violations.add(job + " began without a record");
                return;
            }
            if (!handle.isHeld()) {
                violations.add(job + " began without its lock");
            }
            totals.begun++;
            Run run = new Run(attempt, handle, begin);
            runs.add(run);
            open.add(run);
        }

        void cancel() {
            if (!waiting.isEmpty()) {
                Attempt attempt = oneOf(waiting);
                if (attempt.result.cancel(false)) {
                    totals.cancelled++;
                    cancelled.add(attempt.job);
                }
            }
        }

        /** Ends a run in one of the ways in which runs end, or loses its lock first. */
        void endRun() {
            if (open.isEmpty()) {
                return;
            }
            Run run = oneOf(open);
            Job job = job(run.job);
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (run.handle.isHeld()) {
                        totals.lostRuns++;
                        // its seat is the first one
                        Seat seat = queues.get(run.job).element();
                        seat.lose();
                        seat.delete();
                    }
                }
                case 1 -> {
                    open.remove(run);
                    totals.abandoned++;
                    run.abandoned = true;
                    job.abandon(run.handle).thenRun(() -> servers.undone.putIfAbsent(run.token(), servers.writes));
                }
                case 2 -> closeRun();
                default -> {
                    open.remove(run);
                    if (window.counting() == OncePer.Counting.SUCCEEDED) {
                        job.succeeded(run.handle).thenRun(() -> {
                            totals.successes++;
                            run.succeeded = true;
                        });
                    }
                    run.close();
                }
            }
        }

        boolean closeRun() {
            if (open.isEmpty()) {
                return false;
            }
            open.remove(0).close();
            return true;
        }

        private Job job(LockName name) {
            return new Job(name, limit -> wait -> acquire(name, wait != null && wait.isZero()), window, shared);
        }

        private CompletableFuture<LockHandle> acquire(LockName name, boolean atOnce) {
            Seat seat = new Seat(name, this);
            if (atOnce && !queues.get(name).isEmpty()) {
                seat.answer.completeExceptionally(new LockTimeoutException(name, "busy"));
            } else {
                queues.get(name).add(seat);
            }
            return seat.answer;
        }

        // the network

        void execute() {
            Request next = sent.poll();
            if (next != null) {
                servers.execute(next);
                executed.add(next);
            }
        }

        void answer() {
            Request next = executed.poll();
            if (next != null && next.seat == null) {
                answerOldest(wire, next.outcome, next.value);
            }
        }

        private void answerOldest(RecordedSession sentOn, Outcome outcome, @Nullable Object value) {
            sentOn.answer("", outcome, value);
            // an answer may lead to further requests of the same session
            sendAll();
        }

        void breakConnection() {
            for (int i = random.nextInt(sent.size() + 1); i > 0; i--) {
                execute();
            }
            List<Request> unanswered = new ArrayList<>(executed);
            unanswered.addAll(sent);
            executed.clear();
            sent.clear();
            for (Request request : unanswered) {
                if (request.seat == null) {
                    unknown(wire, request, Outcome.CONNECTION_LOST);
                } else if (request.outcome == null) {
                    // the engine sends it again
                    send(request);
                }
            }
        }

        private void unknown(RecordedSession sentOn, Request request, Outcome outcome) {
            if (request.isWrite() && request.outcome == Outcome.OK) {
                totals.unknownWrites++;
            }
            answerOldest(sentOn, outcome, null);
        }

        /** The process has lost its session by its own clock; the servers have not noticed it yet. */
        void giveUpSession() {
            List<Seat> seats = new ArrayList<>();
            queues.values()
                    .forEach(queue -> queue.stream()
                            .filter(seat -> seat.instance == this && seat.handle != null)
                            .forEach(seats::add));
            List<Request> unanswered = new ArrayList<>(executed);
            unanswered.addAll(sent);
            givenUp.add(new GivenUp(session, new ArrayDeque<>(sent), seats));
            executed.clear();
            sent.clear();
            boolean deletesSeatsItself = random.nextBoolean();
            seats.forEach(seat -> {
                totals.lostRuns += open.stream().anyMatch(run -> run.handle == seat.handle) ? 1 : 0;
                seat.lose();
            });
            RecordedSession old = wire;
            wire = new RecordedSession();
            session = session(wire);
            for (Request request : unanswered) {
                if (request.seat == null) {
                    unknown(old, request, Outcome.SESSION_ENDED);
                }
            }
            if (deletesSeatsItself) {
                // on the new session: others are granted the locks although the old requests may still be executed
                seats.forEach(Seat::delete);
            }
        }

        /** The servers execute a request of a session that was given up, or expire that session. */
        void expire() {
            GivenUp oldest = givenUp.peek();
            if (oldest == null) {
                return;
            }
            Request late = random.nextInt(3) == 0 ? null : oldest.requests.poll();
            if (late != null) {
                servers.execute(late);
            } else {
                servers.expire(oldest.session);
                oldest.seats.forEach(seat -> queues.get(seat.job).remove(seat));
                givenUp.remove();
            }
        }
    }
}
