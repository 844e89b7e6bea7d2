package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockInspector;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.inspect.NameWalk;
import io.github.zklock.zookeeper.internal.inspect.QueueWalk;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Mismatch;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The inspector. The loop answers questions about this registry, ZooKeeper answers the others. */
final class Inspection implements LockInspector {

    private static final int LARGEST_PAGE = 10_000;

    private final EngineAccess engine;
    private final SessionRequests requests;

    Inspection(EngineAccess engine) {
        this.engine = engine;
        this.requests = new SessionRequests(engine);
    }

    @Override
    public List<Held> held() {
        return Engine.describe(engine.ask(Engine::turns).join());
    }

    @Override
    public List<Awaited> awaited() {
        List<Claim> waits = engine.ask(Engine::waits).join();
        long now = engine.nanoTime();
        // here and not on the loop, because there may be many
        return waits.stream()
                .map(claim -> claim.describe(now))
                .sorted((one, other) -> other.waited().compareTo(one.waited()))
                .toList();
    }

    @Override
    public LockInspector.Session session() {
        return engine.ask(Engine::session).join();
    }

    @Override
    public List<Seat> queue(String name) throws InterruptedException {
        LockName lock = LockName.of(name);
        Inquiry inquiry = new Inquiry(lock);
        String folder = folderOf(lock);
        QueueView view = QueueView.of(inquiry.await(list(folder)));
        QueueWalk.Reader reader = new QueueWalk.Reader() {
            @Override
            public CompletableFuture<Optional<Seat>> read(SeatName seat, boolean holds) {
                return Inspection.this.read(folder, seat, holds);
            }

            @Override
            public Optional<Seat> await(CompletableFuture<Optional<Seat>> reading) throws InterruptedException {
                return inquiry.await(reading);
            }
        };
        return new QueueWalk(view, reader).seats();
    }

    @Override
    public List<LockName> names(String prefix, String after, int limit) throws InterruptedException {
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw new IllegalArgumentException("Page size " + limit + " is not between 1 and " + LARGEST_PAGE);
        }
        LockName about = prefix.equals("/") ? LockName.of("all") : LockName.of(prefix);
        String base = engine.settings().basePath();
        String root = prefix.equals("/") ? base : folderOf(about);
        String last = after.isEmpty() ? "" : folderOf(LockName.of(after));
        Inquiry inquiry = new Inquiry(about, "Names below '" + prefix + "' not listed: ");
        NameWalk.Lister folders = new NameWalk.Lister() {
            @Override
            public CompletableFuture<List<String>> list(String folder) {
                return folder.equals(root) ? Inspection.this.list(folder) : listIfAllowed(folder);
            }

            @Override
            public List<String> await(CompletableFuture<List<String>> listing) throws InterruptedException {
                return inquiry.await(listing);
            }
        };
        return new NameWalk(base, last, limit, folders).below(root);
    }

    /** See {@link ClusterSemaphore#availablePermits()}. */
    int availablePermits(LockName semaphore, int permits) throws InterruptedException {
        Inquiry inquiry = new Inquiry(semaphore);
        Demand all = Demand.permits(permits, permits);
        String folder = folderOf(semaphore);
        inquiry.await(sync(folder));
        QueueView view = QueueView.of(inquiry.await(list(folder)));
        Mismatch.of(view, all, "this side").ifPresent(mismatch -> {
            throw new LockMismatchException(
                    semaphore, "Semaphore '" + semaphore + "' not inspected: " + mismatch.inShort());
        });
        return view.without(idleSeats(inquiry, semaphore, view)).permitsLeft(permits);
    }

    /** Returns the ids of the seats that are marked as idle and not in use here. */
    private Set<String> idleSeats(Inquiry inquiry, LockName name, QueueView view) throws InterruptedException {
        List<SeatName> candidates = view.holders().stream()
                .filter(SeatName::mayLinger)
                .limit(QueueWalk.MOST)
                .toList();
        Set<String> idle = new HashSet<>();
        if (candidates.isEmpty()) {
            return idle;
        }
        List<CompletableFuture<Boolean>> readings =
                candidates.stream().map(seat -> isIdle(folderOf(name), seat)).toList();
        for (int i = 0; i < candidates.size(); i++) {
            if (inquiry.await(readings.get(i))) {
                idle.add(candidates.get(i).id());
            }
        }
        // a seat that this process uses again may still be marked
        held().forEach(held -> idle.remove(held.seatId()));
        return idle;
    }

    private CompletableFuture<Boolean> isIdle(String folder, SeatName seat) {
        return requests.<Boolean>send((session, answer) -> session.read(
                seat.pathIn(folder),
                (outcome, node) -> answer.accept(
                        allowed(outcome),
                        outcome == Outcome.NO_NODE || (node != null && OwnerDescription.isIdle(node.data())))));
    }

    @Override
    public boolean evict(String name, String seatId) throws InterruptedException {
        LockName lock = LockName.of(name);
        Objects.requireNonNull(seatId, "seatId");
        Inquiry inquiry = new Inquiry(lock);
        String folder = folderOf(lock);
        inquiry.await(sync(folder));
        QueueView view = QueueView.of(inquiry.await(list(folder)));
        SeatName holder = view.ownedBy(seatId).stream().findFirst().orElse(null);
        if (holder == null || !view.holds(holder)) {
            return false;
        }
        String head = holder.pathIn(folder);
        Outcome answer = inquiry.await(requests.<Outcome>send((session, reply) -> session.delete(
                new Change.Delete(head),
                (outcome, none) -> reply.accept(outcome == Outcome.REFUSED ? Outcome.OK : outcome, outcome))));
        if (answer == Outcome.REFUSED) {
            throw inquiry.unavailable(
                    "rejected the deletion of " + head + ", which another client has created and which has"
                            + " children; delete it with its children",
                    null);
        }
        boolean deleted = answer == Outcome.OK;
        if (deleted) {
            engine.run(asked -> asked.tellEvicted(seatId));
        }
        return deleted;
    }

    private CompletableFuture<Boolean> sync(String folder) {
        return requests.<Boolean>send((session, answer) ->
                session.sync(folder, (outcome, none) -> answer.accept(outcome, outcome == Outcome.OK)));
    }

    private CompletableFuture<List<String>> list(String folder) {
        return requests.<List<String>>send((session, answer) -> session.list(
                folder, (outcome, children) -> answer.accept(outcome, children == null ? List.of() : children)));
    }

    /**
     * Lists as {@link #list} does. Returns an empty list if an access list forbids it, because others may restrict
     * their folders.
     */
    private CompletableFuture<List<String>> listIfAllowed(String folder) {
        return requests.<List<String>>send((session, answer) -> session.list(
                folder,
                (outcome, children) -> answer.accept(allowed(outcome), children == null ? List.of() : children)));
    }

    /** Describes a seat at once, so that data of unknown size which others wrote is not kept. */
    private CompletableFuture<Optional<Seat>> read(String folder, SeatName seat, boolean holds) {
        return requests.<Optional<Seat>>send((session, answer) -> session.read(
                seat.pathIn(folder),
                (outcome, node) -> answer.accept(
                        allowed(outcome),
                        outcome == Outcome.NO_NODE
                                ? Optional.empty()
                                : Optional.of(QueueWalk.describe(seat, holds, Optional.ofNullable(node))))));
    }

    private static Outcome allowed(Outcome outcome) {
        return outcome == Outcome.ACCESS_DENIED ? Outcome.OK : outcome;
    }

    private String folderOf(LockName name) {
        return LockFolder.of(engine.settings().basePath(), name);
    }

    /** One deadline for all requests of a question. */
    private final class Inquiry {

        private final LockName about;
        /** The beginning of each message. */
        private final String failure;

        private final Duration limit = engine.settings().connectionTimeout();
        private final long askedAt = engine.nanoTime();

        Inquiry(LockName about) {
            this(about, "Lock '" + about + "' not inspected: ");
        }

        Inquiry(LockName about, String failure) {
            this.about = about;
            this.failure = failure;
        }

        <T> T await(CompletableFuture<T> answer) throws InterruptedException {
            try {
                long left = Nanos.of(limit) - (engine.nanoTime() - askedAt);
                return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                throw unavailable("did not answer within " + Words.of(limit), null);
            } catch (ExecutionException failed) {
                Throwable cause = failed.getCause();
                if (cause instanceof SecurityException) {
                    throw new LockAccessDeniedException(about, failure + cause.getMessage(), cause);
                }
                throw unavailable("could not be asked: " + (cause == null ? failed : cause).getMessage(), cause);
            } finally {
                // late or interrupted: the answer is not needed any more
                answer.cancel(false);
            }
        }

        private LockUnavailableException unavailable(String fact, @Nullable Throwable cause) {
            return new LockUnavailableException(about, failure + "ZooKeeper " + fact, cause);
        }
    }
}
