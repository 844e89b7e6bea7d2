package io.github.zklock.zookeeper.internal.deadlock;

import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import io.github.zklock.OnDeadlock;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Link;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Published;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.Records;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watch for deadlocks. While a nested wait is longer than {@link #PUBLISHED_AFTER}, a round each second publishes
 * such waits of this process in {@code BASE/.waits/REGISTRY} and searches for circles from them.
 *
 * <p>The set of waits is thread-safe. Rounds follow each other; their fields belong to the present one.
 */
public final class DeadlockWatch {

    /** The effects of a circle on this registry. */
    public interface Reaction {

        /** Reports the circle to listeners. */
        void tell(LockEvent event);

        /** Rejects the request, unless it is answered by now. */
        void refuse(Claim claim, Refusal refusal);
    }

    /** The clocks and threads of the watch. */
    public interface Rounds {

        /** Runs the task on a thread that may block, after this time. */
        void runAfter(Duration pause, Runnable task);

        long nanoTime();

        long wallMillis();
    }

    private record Answer<T>(Outcome outcome, @Nullable T value) {}

    static final Duration PUBLISHED_AFTER = Duration.ofSeconds(2);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final String FOLDER = "/.waits";
    private static final int MOST_PUBLISHED = 100;
    private static final int ANY_VERSION = -1;

    private static final Logger LOG = LoggerFactory.getLogger(DeadlockWatch.class);

    private final SessionQuestions questions;
    private final String basePath;
    private final String folder;
    private final String registry;
    private final String instance;
    private final Duration limit;
    private final Rounds rounds;
    private final boolean fails;
    private final Reaction reaction;

    private final Set<NestedWait> waits = ConcurrentHashMap.newKeySet();
    private final AtomicLong ids = new AtomicLong();
    private final Suspects suspects = new Suspects();
    /** Whether a round is scheduled or running. */
    private final AtomicBoolean active = new AtomicBoolean();

    private boolean published;
    private boolean denialTold;

    /**
     * @param registry the part of the seats' ids by which this registry is known
     * @param instance the name of this process
     * @param limit of the time for one answer of the servers
     */
    public DeadlockWatch(
            SessionQuestions questions,
            String basePath,
            String registry,
            String instance,
            Duration limit,
            Rounds rounds,
            OnDeadlock onDeadlock,
            Reaction reaction) {
        this.questions = questions;
        this.basePath = basePath;
        this.folder = (basePath.equals("/") ? "" : basePath) + FOLDER;
        this.registry = registry;
        this.instance = instance;
        this.limit = limit;
        this.rounds = rounds;
        this.fails = onDeadlock == OnDeadlock.FAIL;
        this.reaction = reaction;
    }

    /**
     * Begins a wait whose caller holds these turns. Any thread.
     *
     * @return ends the wait. If it is not called because of an Error, the next round ends the wait
     */
    public Runnable begin(Claim claim, List<Turn> held) {
        NestedWait wait = new NestedWait(ids.incrementAndGet(), claim, held, rounds.wallMillis());
        waits.add(wait);
        if (active.compareAndSet(false, true)) {
            schedule(PUBLISHED_AFTER);
        }
        return () -> waits.remove(wait);
    }

    private void schedule(Duration pause) {
        boolean scheduled = false;
        try {
            rounds.runAfter(pause, this::run);
            scheduled = true;
        } catch (RejectedExecutionException closed) {
            LOG.trace("No further search for deadlocks: the registry is closed", closed);
        } finally {
            active.set(scheduled);
        }
    }

    private void run() {
        try {
            round();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException | RuntimeException failed) {
            LOG.debug("Deadlocks could not be searched; the next round tries again", failed);
        } finally {
            // a wait that begins now either finds no active watch, or is in the set
            active.set(!waits.isEmpty() || published);
            if (active.get() || (!waits.isEmpty() && active.compareAndSet(false, true))) {
                schedule(ROUND);
            }
        }
    }

    private void round() throws InterruptedException, TimeoutException, ExecutionException {
        waits.removeIf(wait -> wait.claim().isOver());
        long now = rounds.nanoTime();
        List<NestedWait> old = waits.stream()
                .filter(wait -> now - wait.claim().askedAt() >= PUBLISHED_AFTER.toNanos())
                .sorted(Comparator.comparingLong(NestedWait::id))
                .limit(MOST_PUBLISHED)
                .toList();
        if (old.isEmpty()) {
            suspects.confirm(List.of());
            withdraw();
            return;
        }
        publish(new WaitReport(instance, old.stream().map(NestedWait::describe).toList()).write());
        suspects.confirm(new DeadlockSearch(new Servers()).circlesOf(registry)).forEach(this::report);
    }

    private void report(List<Link> circle) {
        String text = describe(circle);
        Link youngest = circle.stream()
                .max(Comparator.<Link>comparingLong(link -> link.waiting().sinceMillis())
                        .thenComparing(Link::registry)
                        .thenComparingLong(link -> link.waiting().id()))
                .orElseThrow();
        LOG.warn(
                "{}. {}",
                text,
                fails
                        ? "The request for '" + youngest.waiting().lock() + "' is rejected, because it began last"
                        : "It ends when one of these requests gives up. Acquire the locks in the same order everywhere, or"
                                + " together by allOf");
        for (NestedWait own : waits) {
            if (circle.stream().noneMatch(link -> isOwn(link, own))) {
                continue;
            }
            boolean rejected = fails && isOwn(youngest, own);
            reaction.tell(new LockEvent.Deadlocked(own.claim().name(), text, rejected));
            if (rejected) {
                reaction.refuse(
                        own.claim(),
                        Refusal.of(Refusal.Reason.DEADLOCK, text)
                                .about(own.claim().name()));
            }
        }
    }

    private boolean isOwn(Link link, NestedWait wait) {
        return link.registry().equals(registry) && link.waiting().id() == wait.id();
    }

    private static String describe(List<Link> circle) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < circle.size(); i++) {
            Link link = circle.get(i);
            Link holder = circle.get((i + 1) % circle.size());
            parts.add("thread '" + link.waiting().thread() + "' of " + link.instance() + " waits for '"
                    + link.waiting().lock() + "', which thread '"
                    + holder.waiting().thread() + "' of " + holder.instance()
                    + " holds");
        }
        return parts.stream().collect(Collectors.joining("; ", "Deadlock: ", ""));
    }

    private void publish(byte[] data) throws InterruptedException, TimeoutException, ExecutionException {
        String path = folder + "/" + registry;
        // before the write: its outcome may never be known
        published = true;
        Outcome written = await(write(path, data)).outcome();
        if (written == Outcome.NO_NODE) {
            written = await(create(path, data)).outcome();
        }
        if (written == Outcome.NO_NODE) {
            await(this.<Void>ask((session, reply) -> session.makeFolder(folder, reply)));
            written = await(create(path, data)).outcome();
        }
        if (written == Outcome.ACCESS_DENIED && !denialTold) {
            denialTold = true;
            LOG.warn(
                    "Deadlocks of several processes cannot be found: an access list forbids this client to write below"
                            + " {}. Permit it, or set on-deadlock to ignore",
                    folder);
        }
    }

    private void withdraw() throws InterruptedException, TimeoutException, ExecutionException {
        if (published) {
            Outcome outcome = await(this.<Void>ask(
                            (session, reply) -> session.deleteRecord(folder + "/" + registry, ANY_VERSION, reply)))
                    .outcome();
            published = outcome != Outcome.OK && outcome != Outcome.NO_NODE && outcome != Outcome.ACCESS_DENIED;
        }
    }

    private CompletableFuture<Answer<Records.Entry>> write(String path, byte[] data) {
        return ask((session, reply) -> session.writeRecord(path, data, ANY_VERSION, reply));
    }

    private CompletableFuture<Answer<Records.Entry>> create(String path, byte[] data) {
        return ask((session, reply) -> session.createTemporaryRecord(path, data, reply));
    }

    private <T> CompletableFuture<Answer<T>> ask(BiConsumer<PinnedSession, Reply<T>> request) {
        return questions.send((session, done) ->
                request.accept(session, (outcome, value) -> done.accept(Outcome.OK, new Answer<>(outcome, value))));
    }

    private <T> T await(CompletableFuture<T> answer) throws InterruptedException, TimeoutException, ExecutionException {
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            // late or interrupted: the answer is not needed any more
            answer.cancel(false);
        }
    }

    /** What the servers have. A request that fails ends the round. */
    private final class Servers implements DeadlockSearch.Source {

        @Override
        public QueueView queue(LockName lock) throws InterruptedException {
            Answer<List<String>> listing =
                    answer((session, reply) -> session.list(LockFolder.of(basePath, lock), reply));
            return QueueView.of(listing.value() == null ? List.of() : listing.value());
        }

        @Override
        public Optional<Published> published(String owner) throws InterruptedException {
            Answer<Records.Entry> read = answer((session, reply) -> session.readRecord(folder + "/" + owner, reply));
            return Optional.ofNullable(read.value())
                    .map(entry -> new Published(WaitReport.read(entry.data()), entry.version()));
        }

        private <T> Answer<T> answer(BiConsumer<PinnedSession, Reply<T>> request) throws InterruptedException {
            try {
                return await(ask(request));
            } catch (TimeoutException | ExecutionException failed) {
                throw new IllegalStateException("ZooKeeper did not answer", failed);
            }
        }
    }
}
