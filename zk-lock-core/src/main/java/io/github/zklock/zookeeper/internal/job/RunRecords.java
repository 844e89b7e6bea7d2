package io.github.zklock.zookeeper.internal.job;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.BasePath;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.session.LostRequestException;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.session.SessionQuestions.Answer;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The records of all jobs, one node each: {@code BASE/.runs/BUCKET/JOB}. A record is replaced only by a process that
 * holds the job's lock, and only if it is still the version that this process has read.
 *
 * <p>A folder of locks never begins with a dot, so records are no locks. Thread-safe. Futures complete on the loop, or
 * on the executor that follows a pause.
 */
public final class RunRecords {

    /**
     * What a look at a record has shown.
     *
     * @param now the leader's clock, at the time of the look
     * @param run the record; null if there is none
     */
    record Seen(Instant now, @Nullable RunRecord run) {}

    /** The pause before a request is repeated. */
    public static final Duration PAUSE = Duration.ofMillis(50);

    private static final byte[] NOTHING = {};
    private static final int BUCKETS = 256;

    /** The number of records that are checked for their age when a record is created. */
    private static final int CHECKED_AT_CREATION = 20;

    private static final Duration KEPT = Duration.ofDays(7);
    private static final int WINDOWS_KEPT = 2;

    private final SessionQuestions requests;
    private final String folder;
    private final String instance;
    private final Executor afterPause;

    /**
     * @param instance the name of this process
     * @param afterPause runs a step after {@link #PAUSE}
     */
    public RunRecords(SessionQuestions requests, String basePath, String instance, Executor afterPause) {
        this.requests = requests;
        this.afterPause = afterPause;
        this.folder = BasePath.prefix(basePath) + BasePath.RUNS;
        this.instance = instance;
    }

    /**
     * Looks at the record of a job.
     *
     * @param wanted whether the answer is still needed; if not, a request whose answer was lost is not repeated
     * @return a caller that completes it withdraws the request, but not a repeated one
     */
    CompletableFuture<Seen> look(LockName job, BooleanSupplier wanted) {
        CompletableFuture<Answer<Seen>> asked = ask((session, reply) -> look(session, pathOf(job), reply), wanted);
        return withdrawing(asked, asked.thenCompose(answer -> {
            Seen seen = answer.value();
            if (answer.outcome() == Outcome.NO_NODE) {
                return makeFolder(folder).thenCompose(made -> look(job, wanted));
            }
            return seen == null ? failed("reading", answer.outcome()) : CompletableFuture.completedFuture(seen);
        }));
    }

    /** Asks for the time and the record in one round trip. */
    private void look(PinnedSession session, String path, Reply<Seen> reply) {
        List<Answer<Node>> time = new ArrayList<>(1);
        session.changeAtOnce(
                new Change.Write(folder, NOTHING), (outcome, written) -> time.add(new Answer<>(outcome, written)));
        // a server answers the requests of a session in their order, so this read follows the write above
        session.read(path, (outcome, node) -> {
            Answer<Node> clock = time.isEmpty() ? new Answer<>(Outcome.UNKNOWN, null) : time.get(0);
            Node written = clock.value();
            if (written == null) {
                reply.answered(clock.outcome(), null);
            } else if (outcome == Outcome.OK || outcome == Outcome.NO_NODE) {
                RunRecord run = node == null ? null : new RunRecord(node);
                reply.answered(Outcome.OK, new Seen(Instant.ofEpochMilli(written.writtenMillis()), run));
            } else {
                reply.answered(outcome, null);
            }
        });
    }

    /**
     * Records the begin of a run. Finds out the outcome if the answer is lost, and repeats a write that was not executed.
     *
     * @param seen the record that the write replaces; null if there was none
     * @param wanted whether the run may still begin; if not, the write is not repeated
     * @return the new record; null if another one was written meanwhile
     */
    CompletableFuture<@Nullable RunRecord> begin(
            LockName job, FencingToken token, Duration window, @Nullable RunRecord seen, BooleanSupplier wanted) {
        byte[] data = RunRecord.begin(instance, token, window, seen == null ? null : seen.succeeded());
        return replace(job, seen, data, wanted);
    }

    /** Records the success of a run. Repeats the write until its outcome is known. */
    CompletableFuture<@Nullable RunRecord> succeed(LockName job, RunRecord begun) {
        return replace(job, begun, begun.success(), () -> true);
    }

    /**
     * Undoes {@link #begin}, unless another record was written meanwhile. Never deletes the record: the versions of a new
     * one begin at 0 again, so that a delete that a server executes late could delete the record of another run.
     *
     * @param before the record before the begin; null if there was none
     */
    CompletableFuture<@Nullable Void> undo(LockName job, RunRecord begun, @Nullable RunRecord before) {
        byte[] data = before == null ? begun.withoutRun() : before.same();
        return replace(job, begun, data, () -> true).thenCompose(undone -> {
            if (undone != null) {
                return CompletableFuture.completedFuture(null);
            }
            // the begin may have been executed twice, which has changed its version
            return undoIfPresent(job, begun.data(), before);
        });
    }

    private CompletableFuture<@Nullable Void> undoIfPresent(LockName job, byte[] begin, @Nullable RunRecord before) {
        return look(job, () -> true).thenCompose(now -> {
            RunRecord present = now.run();
            return present != null && present.isOf(begin)
                    ? undo(job, present, before)
                    : CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<@Nullable RunRecord> replace(
            LockName job, @Nullable RunRecord seen, byte[] data, BooleanSupplier wanted) {
        String path = pathOf(job);
        Change change = seen == null ? new Change.Create(path, data) : new Change.Write(path, data, seen.version());
        CompletableFuture<Answer<Node>> written = askOnce((session, reply) -> session.changeAtOnce(change, reply));
        return written.thenCompose(answer -> {
            Node node = answer.value();
            Outcome outcome = answer.outcome();
            if (node != null) {
                if (seen == null) {
                    removeSomeUnused(path, Instant.ofEpochMilli(node.writtenMillis()));
                }
                return CompletableFuture.completedFuture(new RunRecord(node));
            }
            if (outcome == Outcome.NO_NODE) {
                // the folder is missing, or the record was removed because of its age
                return makeFolder(bucketOf(job)).thenCompose(made -> replace(job, null, data, wanted));
            }
            if (outcome.isUnknown() || outcome == Outcome.NODE_EXISTS || outcome == Outcome.REFUSED) {
                return later(() -> settle(job, seen, data, outcome, wanted));
            }
            return failed("writing", outcome);
        });
    }

    /** Finds out what became of a write whose outcome is not known, or that found another version. */
    private CompletableFuture<@Nullable RunRecord> settle(
            LockName job, @Nullable RunRecord seen, byte[] data, Outcome outcome, BooleanSupplier wanted) {
        return look(job, () -> true).thenCompose(now -> {
            RunRecord present = now.run();
            if (present != null && present.isOf(data) && (seen == null || present.version() != seen.version())) {
                return CompletableFuture.completedFuture(present);
            }
            boolean unchanged = present == null ? seen == null : seen != null && present.isSameAs(seen);
            if (unchanged && outcome == Outcome.REFUSED) {
                return failed("writing", outcome);
            }
            if ((unchanged || present == null) && !wanted.getAsBoolean()) {
                return fence(job, seen, present, data).thenCompose(fenced -> failed("writing", outcome));
            }
            return unchanged || present == null
                    ? replace(job, present, data, wanted)
                    : CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Prevents that a server executes a write late that is not wanted any more: other writes take its version. Undoes the
     * unwanted write if it was faster.
     *
     * @param seen the record that the unwanted write replaces; null if it creates one
     */
    private CompletableFuture<@Nullable Void> fence(
            LockName job, @Nullable RunRecord seen, @Nullable RunRecord present, byte[] unwanted) {
        byte[] same = present == null ? RunRecord.withoutRun(unwanted) : present.same();
        return replace(job, present, same, () -> true).thenCompose(fenced -> {
            if (fenced == null) {
                return undoIfPresent(job, unwanted, seen);
            }
            // a record that was created anew has lower versions
            return seen != null && fenced.version() <= seen.version()
                    ? fence(job, seen, fenced, unwanted)
                    : CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<?> makeFolder(String path) {
        return this.<Void>ask((session, reply) -> session.makeFolder(path, reply), () -> true)
                .thenCompose(answer -> answer.outcome() == Outcome.OK
                        ? CompletableFuture.completedFuture(null)
                        : failed("creating its folder", answer.outcome()));
    }

    /**
     * Removes records of the same bucket that were not written for long. Checks some of them: their number then cannot
     * grow without a limit, because each new record causes a check of several others.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure leaves the records to the next check
    private void removeSomeUnused(String path, Instant now) {
        String bucket = path.substring(0, path.lastIndexOf('/'));
        requests.<Void>send((session, done) -> {
            new Cleaning(session, bucket, now).begin();
            done.accept(Outcome.OK, null);
        });
    }

    static boolean isUnused(RunRecord record, Instant now) {
        Duration kept = record.window().multipliedBy(WINDOWS_KEPT);
        return record.writtenAt().plus(kept.compareTo(KEPT) > 0 ? kept : KEPT).isBefore(now);
    }

    /** Repeats a request until its outcome is known, or no caller needs the answer. */
    private <T> CompletableFuture<Answer<T>> ask(BiConsumer<PinnedSession, Reply<T>> request, BooleanSupplier wanted) {
        CompletableFuture<Answer<T>> asked = askOnce(request);
        return withdrawing(asked, asked.thenCompose(answer -> {
            CompletableFuture<Answer<T>> known = CompletableFuture.completedFuture(answer);
            return answer.outcome().isUnknown() && wanted.getAsBoolean()
                    ? later(() -> wanted.getAsBoolean() ? ask(request, wanted) : known)
                    : known;
        }));
    }

    private <T> CompletableFuture<Answer<T>> askOnce(BiConsumer<PinnedSession, Reply<T>> request) {
        CompletableFuture<Answer<T>> asked = requests.ask(request);
        return withdrawing(
                asked,
                asked.exceptionallyCompose(failure -> failure instanceof LostRequestException
                        ? CompletableFuture.completedFuture(new Answer<>(Outcome.UNKNOWN, null))
                        : CompletableFuture.failedFuture(failure)));
    }

    /** Withdraws the request when the result is complete: otherwise, requests would pile up during an outage. */
    @SuppressWarnings("FutureReturnValueIgnored") // no step depends on the stage
    private static <T> CompletableFuture<T> withdrawing(CompletableFuture<?> request, CompletableFuture<T> result) {
        result.whenComplete((value, failure) -> request.cancel(false));
        return result;
    }

    private <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> step) {
        return CompletableFuture.runAsync(() -> {}, afterPause).thenCompose(none -> step.get());
    }

    private static <T> CompletableFuture<T> failed(String action, Outcome outcome) {
        return CompletableFuture.failedFuture(
                outcome == Outcome.ACCESS_DENIED
                        ? new SecurityException("an access list forbids " + action
                                + " its record to this client; authenticate it as one that may write below "
                                + BasePath.RUNS)
                        : new IllegalStateException(
                                "ZooKeeper answered " + outcome + " when " + action + " its record"));
    }

    /**
     * One removal of unused records of a bucket.
     *
     * <p>Only the process that has created the mark in a bucket deletes records there. If two processes did, one could
     * have read a record that the other one deletes, and then delete the new record of a run that begins in between. All
     * requests are of one session, and the mark is deleted when each other request is answered. If an outcome is unknown,
     * the mark ends with the session, and so does that request.
     */
    private static final class Cleaning {

        private static final String MARK = ".cleaning";

        private final PinnedSession session;
        private final String bucket;
        private final Instant now;
        private final List<String> unused = new ArrayList<>();
        private int unanswered;
        private boolean inDoubt;

        Cleaning(PinnedSession session, String bucket, Instant now) {
            this.session = session;
            this.bucket = bucket;
            this.now = now;
        }

        /** Checks some records without the mark: in most cases, all of them are in use. */
        void begin() {
            session.list(bucket, (outcome, names) -> {
                List<String> some = names == null ? new ArrayList<>() : new ArrayList<>(names);
                some.remove(MARK);
                // others at each time, and the same ones if a test repeats its schedule
                Collections.sort(some);
                Collections.shuffle(some, new Random(now.toEpochMilli()));
                List<String> checked = some.subList(0, Math.min(CHECKED_AT_CREATION, some.size()));
                unanswered = checked.size();
                checked.forEach(this::check);
            });
        }

        private void check(String name) {
            session.read(bucket + "/" + name, (outcome, node) -> {
                if (node != null && isUnused(new RunRecord(node), now)) {
                    unused.add(name);
                }
                unanswered--;
                if (unanswered == 0 && !unused.isEmpty()) {
                    mark();
                }
            });
        }

        private void mark() {
            session.changeAtOnce(new Change.CreateEphemeral(bucket + "/" + MARK, new byte[0]), (outcome, mark) -> {
                if (outcome == Outcome.OK) {
                    unanswered = unused.size();
                    unused.forEach(name -> remove(bucket + "/" + name));
                }
            });
        }

        private void remove(String path) {
            session.read(path, (outcome, node) -> {
                if (node != null && isUnused(new RunRecord(node), now)) {
                    session.changeAtOnce(new Change.Delete(path, node.version()), (deleted, none) -> answered(deleted));
                } else {
                    answered(outcome);
                }
            });
        }

        private void answered(Outcome outcome) {
            inDoubt |= outcome.isUnknown();
            unanswered--;
            if (unanswered == 0 && !inDoubt) {
                session.changeAtOnce(new Change.Delete(bucket + "/" + MARK, 0), (deleted, none) -> {});
            }
        }
    }

    private String bucketOf(LockName job) {
        return "%s/%02x".formatted(folder, Math.floorMod(job.value().hashCode(), BUCKETS));
    }

    private String pathOf(LockName job) {
        return bucketOf(job) + "/" + LockFolder.encode(job.value().substring(1));
    }
}
