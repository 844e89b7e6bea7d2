package io.github.zklock.zookeeper.internal.deadlock;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Link;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Published;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.BasePath;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.session.SessionQuestions.Answer;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
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
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * The watch for deadlocks. While a nested wait is longer than {@link #PUBLISHED_AFTER}, a round each second publishes
 * such waits of this process in {@code BASE/.waits/REGISTRY} and searches for cycles from them.
 *
 * <p>The set of waits is thread-safe. Rounds follow each other; their fields belong to the present one.
 */
public final class DeadlockWatch {

    /**
     * The effects of a cycle on this registry.
     *
     * @param tell reports the cycle to listeners
     * @param refuse rejects the request, and returns whether it was not answered yet
     */
    public record Reaction(Consumer<LockEvent> tell, BiFunction<Claim, Refusal, CompletableFuture<Boolean>> refuse) {}

    /**
     * The clocks and threads of the watch.
     *
     * @param runAfter runs the task on a thread that may block, after this time
     */
    public record Rounds(BiConsumer<Duration, Runnable> runAfter, LongSupplier nanoTime, LongSupplier wallMillis) {}

    static final Duration PUBLISHED_AFTER = Duration.ofSeconds(2);
    private static final Duration ROUND = Duration.ofSeconds(1);
    /** The pause if all waits are old and no cycle was found: each round lists the queue of each lock. */
    private static final Duration SLOW_ROUND = Duration.ofSeconds(2);

    private static final Duration YOUNG = Duration.ofSeconds(8);
    private static final int SHOWN = 10;
    private static final int MOST_PUBLISHED = 100;
    /** If not all waits can be published, each part of them stays for this many rounds, so that other processes find it. */
    private static final int ROUNDS_OF_A_PART = 3;

    private static final Logger LOG = EngineLog.of(DeadlockWatch.class);

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

    private volatile boolean published;
    private volatile boolean ended;
    private Duration pause = ROUND;
    private boolean denialTold;
    /** The version of the last publication whose outcome is known. */
    private int version;

    /** Where the published part of the waits begins, and for how many rounds it was published. */
    private int firstPublished;

    private int roundsOfPart;

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
            DeadlockReaction onDeadlock,
            Reaction reaction) {
        this.questions = questions;
        this.basePath = basePath;
        this.folder = BasePath.prefix(basePath) + BasePath.WAITS;
        this.registry = registry;
        this.instance = instance;
        this.limit = limit;
        this.rounds = rounds;
        this.fails = onDeadlock == DeadlockReaction.FAIL;
        this.reaction = reaction;
    }

    /**
     * Begins a wait whose caller holds these turns. Any thread.
     *
     * @return ends the wait. If it is not called because of an Error, the next round ends the wait
     */
    public Runnable begin(Claim claim, List<Turn> held) {
        NestedWait wait = new NestedWait(
                ids.incrementAndGet(), claim, held, rounds.wallMillis().getAsLong());
        waits.add(wait);
        if (!ended && active.compareAndSet(false, true)) {
            schedule(PUBLISHED_AFTER);
        }
        return () -> waits.remove(wait);
    }

    /** Ends the search. The node of this registry is deleted. */
    public void end() {
        ended = true;
        if (published) {
            deleteUnseen();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // if the request is lost, the node ends with the session
    private void deleteUnseen() {
        delete();
    }

    private void schedule(Duration after) {
        boolean scheduled = false;
        try {
            rounds.runAfter().accept(after, this::run);
            scheduled = true;
        } catch (RejectedExecutionException closed) {
            LOG.trace("No further search for deadlocks: the registry is closed", closed);
        } finally {
            if (!scheduled) {
                active.set(false);
            }
        }
    }

    private void run() {
        pause = ROUND;
        try {
            if (!ended) {
                round();
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException | RuntimeException failed) {
            LOG.debug("Deadlocks could not be searched; the next round tries again", failed);
        } finally {
            if (!ended && (!waits.isEmpty() || published)) {
                schedule(pause);
            } else {
                if (ended && published) {
                    // this round may have created the node after end() had deleted it
                    deleteUnseen();
                }
                active.set(false);
                // a wait that began meanwhile has found the watch active
                if (!ended && !waits.isEmpty() && active.compareAndSet(false, true)) {
                    schedule(PUBLISHED_AFTER);
                }
            }
        }
    }

    private void round() throws InterruptedException, TimeoutException, ExecutionException {
        waits.removeIf(wait -> wait.claim().isOver());
        long now = rounds.nanoTime().getAsLong();
        List<NestedWait> old = waits.stream()
                .filter(wait -> now - wait.claim().askedAt() >= PUBLISHED_AFTER.toNanos())
                .sorted(Comparator.comparingLong(NestedWait::id))
                .toList();
        if (old.isEmpty()) {
            suspects.confirm(List.of());
            withdraw();
            return;
        }
        int shown = publish(old);
        List<List<Link>> circles = new DeadlockSearch(new Servers()).circlesOf(registry);
        if (shown < old.size() && circles.isEmpty() && ++roundsOfPart >= ROUNDS_OF_A_PART) {
            roundsOfPart = 0;
            firstPublished = (firstPublished + shown) % old.size();
        }
        boolean young = old.stream().anyMatch(wait -> now - wait.claim().askedAt() < YOUNG.toNanos());
        pause = young || !circles.isEmpty() ? ROUND : SLOW_ROUND;
        for (List<Link> deadlock : suspects.confirm(circles)) {
            report(deadlock);
        }
    }

    private void report(List<Link> circle) throws InterruptedException, TimeoutException, ExecutionException {
        String text = describe(circle);
        // all processes of the cycle compare the same published values
        Link victim = circle.stream()
                .filter(Link::rejects)
                .max(Comparator.<Link>comparingLong(link -> link.waiting().sinceMillis())
                        .thenComparing(Link::registry)
                        .thenComparingLong(link -> link.waiting().id()))
                .orElse(null);
        LOG.warn(
                "{}. {}",
                text,
                victim == null
                        ? "It ends when one of these requests gives up. Acquire the locks in the same order everywhere, or"
                                + " together by allOf"
                        : "The request of " + victim.instance() + " for '"
                                + victim.waiting().lock() + "' is rejected, because it began last");
        for (NestedWait own : waits) {
            if (circle.stream().noneMatch(link -> isOwn(link, own))) {
                continue;
            }
            Claim claim = own.claim();
            boolean rejected = victim != null
                    && isOwn(victim, own)
                    && await(reaction.refuse()
                            .apply(
                                    claim,
                                    Refusal.of(Refusal.Reason.DEADLOCK, text).about(claim.name())));
            reaction.tell().accept(new LockEvent.Deadlocked(claim.name(), text, rejected));
        }
    }

    private boolean isOwn(Link link, NestedWait wait) {
        return link.registry().equals(registry) && link.waiting().id() == wait.id();
    }

    private static String describe(List<Link> circle) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < Math.min(circle.size(), SHOWN); i++) {
            Link link = circle.get(i);
            Link holder = circle.get((i + 1) % circle.size());
            parts.add("thread '" + link.waiting().thread() + "' of " + link.instance() + " waits for '"
                    + link.waiting().lock() + "', which thread '"
                    + holder.waiting().thread() + "' of " + holder.instance()
                    + " holds");
        }
        String more = circle.size() > SHOWN ? "; and " + (circle.size() - SHOWN) + " more" : "";
        return parts.stream().collect(Collectors.joining("; ", "Deadlock: ", more));
    }

    /**
     * Publishes the waits, or as many of them as fit.
     *
     * <p>Each version describes the waits after the version before it was written. So a write names the version that it
     * replaces: one whose outcome was unknown cannot be executed later. (See {@link Suspects})
     *
     * @return the number of published waits
     */
    private int publish(List<NestedWait> old) throws InterruptedException, TimeoutException, ExecutionException {
        String path = folder + "/" + registry;
        // before the write: its outcome may never be known
        published = true;
        byte[] data = reportOf(old);
        Answer<Node> written = await(write(path, data));
        if (written.outcome() == Outcome.REFUSED) {
            // the last write, of unknown outcome, was executed
            Node present = await(questions.<Node>ask((session, reply) -> session.read(path, reply)))
                    .value();
            version = present == null ? 0 : present.version();
            data = reportOf(old);
            written = await(write(path, data));
        }
        if (written.outcome() == Outcome.NO_NODE) {
            written = await(create(path, data));
        }
        if (written.outcome() == Outcome.NO_NODE) {
            await(questions.<Void>ask((session, reply) -> session.makeFolder(folder, reply)));
            written = await(create(path, data));
        }
        if (written.value() != null) {
            version = written.value().version();
        }
        Outcome outcome = written.outcome();
        if ((outcome == Outcome.ACCESS_DENIED || outcome == Outcome.NOT_SENT) && !denialTold) {
            denialTold = true;
            LOG.warn(
                    "Deadlocks of several processes cannot be found: an access list forbids this client to write below"
                            + " {}. Permit it, or set on-deadlock to ignore",
                    folder);
        }
        return WaitReport.read(data).waits().size();
    }

    private byte[] reportOf(List<NestedWait> old) {
        List<WaitReport.Wait> part = new ArrayList<>();
        int most = Math.min(MOST_PUBLISHED, old.size());
        for (int i = 0; i < most; i++) {
            part.add(old.get((firstPublished + i) % old.size()).describe());
        }
        return new WaitReport(instance, fails, part).write();
    }

    private void withdraw() throws InterruptedException, TimeoutException, ExecutionException {
        if (published) {
            Outcome outcome = await(delete()).outcome();
            published = outcome != Outcome.OK && outcome != Outcome.NO_NODE && outcome != Outcome.ACCESS_DENIED;
        }
    }

    private CompletableFuture<Answer<Node>> delete() {
        return questions.ask(
                (session, reply) -> session.changeAtOnce(new Change.Delete(folder + "/" + registry), reply));
    }

    private CompletableFuture<Answer<Node>> write(String path, byte[] data) {
        return questions.ask((session, reply) -> session.changeAtOnce(new Change.Write(path, data, version), reply));
    }

    private CompletableFuture<Answer<Node>> create(String path, byte[] data) {
        return questions.ask((session, reply) -> session.changeAtOnce(new Change.CreateEphemeral(path, data), reply));
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
                    answered((session, reply) -> session.list(LockFolder.of(basePath, lock), reply));
            return QueueView.of(listing.value() == null ? List.of() : listing.value());
        }

        @Override
        public Optional<Published> published(String owner) throws InterruptedException {
            Answer<Node> read = answered((session, reply) -> session.read(folder + "/" + owner, reply));
            return Optional.ofNullable(read.value())
                    .map(node -> new Published(WaitReport.read(node.data()), node.version()));
        }

        private <T> Answer<T> answered(BiConsumer<PinnedSession, Reply<T>> request) throws InterruptedException {
            Answer<T> answer;
            try {
                answer = await(questions.ask(request));
            } catch (TimeoutException | ExecutionException failed) {
                throw new IllegalStateException("ZooKeeper did not answer", failed);
            }
            if (answer.outcome().isUnknown()) {
                throw new IllegalStateException("ZooKeeper did not answer: " + answer.outcome());
            }
            return answer;
        }
    }
}
