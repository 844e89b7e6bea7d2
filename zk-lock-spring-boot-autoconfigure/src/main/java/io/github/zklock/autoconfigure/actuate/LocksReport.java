package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The locks that this process holds and waits for, as JSON. It has one entry for each registry, by bean name, even if
 * there is only one registry.
 *
 * @param instance the name of this process in the queues
 * @param time the clock of this process
 * @param releasable whether the access to the endpoint permits a forced release
 * @param leaderships the leaderships for which this process is a candidate
 * @param jobs the jobs that methods of this application declare
 */
record LocksReport(
        String instance,
        String time,
        boolean releasable,
        List<Candidacy> leaderships,
        List<Job> jobs,
        Map<String, Registry> registries)
        implements OperationResponseBody {

    /** The largest number of locks in each list. The counts include all locks. */
    static final int LONGEST_LIST = 1000;

    /** The largest number of queues that one request reads. */
    static final int MOST_QUEUES = 500;

    /** @param token the token of the present term; null if this process is not the leader */
    record Candidacy(String name, boolean leader, @Nullable String token) {

        static Candidacy of(Leadership leadership) {
            Optional<FencingToken> token = leadership.token();
            return new Candidacy(
                    leadership.name().value(),
                    token.isPresent(),
                    token.map(FencingToken::toString).orElse(null));
        }
    }

    /** @param window the length of the window, as the application has written it */
    record Job(String name, String window) {}

    /**
     * @param hot the locks for which this process has waited longest since the endpoint was created
     * @param deadlocks the latest ten since then, the latest first
     * @param history the last quarter of an hour, if requested and recorded
     * @param names a page of the names in the cluster, if requested
     */
    record Registry(
            Session session,
            Totals totals,
            List<Hot> hot,
            List<Deadlock> deadlocks,
            int heldCount,
            List<Held> held,
            int awaitedCount,
            List<Awaited> awaited,
            @Nullable List<Step> history,
            @Nullable Names names) {

        static Registry of(
                LockInspector inspector, EventTotals events, @Nullable List<Step> history, @Nullable Names names) {
            Instant now = Instant.now();
            List<LockInspector.Held> held = inspector.held();
            List<LockInspector.Awaited> awaited = inspector.awaited();
            return new Registry(
                    Session.of(inspector.session()),
                    events.totals(),
                    events.hot(),
                    events.deadlocks(),
                    held.size(),
                    held.stream()
                            .limit(LONGEST_LIST)
                            .map(each -> Held.of(each, now))
                            .toList(),
                    awaited.size(),
                    awaited.stream()
                            .limit(LONGEST_LIST)
                            .map(each -> Awaited.of(each, now))
                            .toList(),
                    history,
                    names);
        }
    }

    record Session(boolean connected, String id, String timeout, String remaining) {

        static Session of(LockInspector.Session session) {
            return new Session(
                    session.connected(), session.id(), Texts.of(session.timeout()), Texts.of(session.remaining()));
        }
    }

    /**
     * Totals of events since the endpoint was created. A client computes rates from the difference of two reports.
     *
     * @param waited the sum of the waits that ended with an acquired lock
     * @param held the sum of the times for which released locks were held
     */
    record Totals(
            long acquired, String waited, long released, String held, long timedOut, long unavailable, long lost) {}

    /**
     * What happened in ten seconds, and the state at their end.
     *
     * @param time the end of the step
     * @param events the events of the step
     * @param longestWait how long the oldest waiting request has waited; zero if there is none
     */
    record Step(String time, Totals events, int held, int awaited, String longestWait) {}

    /**
     * A lock with long waits.
     *
     * @param waited the sum of the waits of 10 ms and longer, as far as they are known
     * @param acquired the number of those waits that ended with the lock
     * @param timedOut the number of those waits that ended at a deadline
     */
    record Hot(String name, String waited, long acquired, long timedOut) {}

    /**
     * Requests that wait for each other.
     *
     * @param name the lock that a request of this process waits for
     * @param requests all requests, as text
     * @param rejected whether the request of this process was rejected
     */
    record Deadlock(String name, String found, String requests, boolean rejected) {}

    /** @param token as text, because it can exceed the numbers that JavaScript represents exactly */
    record Held(
            String name,
            String kind,
            int permits,
            String token,
            String state,
            String seat,
            String thread,
            int holds,
            String since,
            String heldFor,
            String remaining) {

        static Held of(LockInspector.Held held, Instant now) {
            return new Held(
                    held.name().value(),
                    held.kind().name(),
                    held.permits(),
                    held.token().toString(),
                    held.state().name(),
                    held.seatId(),
                    held.holder(),
                    held.holds(),
                    Texts.of(now.minus(held.held())),
                    Texts.of(held.held()),
                    Texts.of(held.remaining()));
        }
    }

    record Awaited(String name, String kind, int permits, String thread, String since, String waitedFor) {

        static Awaited of(LockInspector.Awaited awaited, Instant now) {
            return new Awaited(
                    awaited.name().value(),
                    awaited.kind().name(),
                    awaited.permits(),
                    awaited.waiter(),
                    Texts.of(now.minus(awaited.waited())),
                    Texts.of(awaited.waited()));
        }
    }

    /**
     * @param next the value of {@code after} for the next page; null on the last page
     * @param queues the locks of the page with a holder or a waiter, longest wait first; null if not requested
     */
    record Names(
            List<String> page,
            @Nullable String next,
            @Nullable List<Queue> queues) {

        static Names read(LockInspector inspector, String prefix, String after, int limit, boolean queuesWanted)
                throws InterruptedException {
            List<String> page = new ArrayList<>();
            List<Queue> queues = new ArrayList<>();
            for (LockName name : inspector.names(prefix, after, limit)) {
                page.add(name.value());
                if (queuesWanted) {
                    Queue.read(inspector, name.value()).ifPresent(queues::add);
                }
            }
            queues.sort(Queue.LONGEST_WAIT_FIRST);
            return new Names(
                    page, page.size() < limit ? null : page.get(page.size() - 1), queuesWanted ? queues : null);
        }
    }

    /**
     * A summary of the queue of a lock.
     *
     * @param kind the kind of lock that the first seat of the queue requests
     * @param waitingSince when the first waiting seat was created, by the clock of its process; null if no seat waits,
     *     or if its process did not write the time
     * @param holder the owner of the first holding seat; null if no seat holds, or if its process did not describe
     *     itself
     * @param problem why the queue could not be read; null if it was read
     */
    record Queue(
            String name,
            @Nullable String kind,
            int holding,
            int waiting,
            @Nullable String waitingSince,
            QueueReport.@Nullable Owner holder,
            @Nullable String problem) {

        static final Comparator<Queue> LONGEST_WAIT_FIRST = Comparator.comparing(
                        Queue::waitingSince, Comparator.nullsLast(Comparator.comparing(Instant::parse)))
                .thenComparing(Queue::waiting, Comparator.reverseOrder())
                .thenComparing(Queue::name);

        static Optional<Queue> read(LockInspector inspector, String name) throws InterruptedException {
            List<LockInspector.Seat> seats;
            try {
                seats = inspector.queue(name);
            } catch (LockAccessDeniedException denied) {
                return Optional.of(new Queue(name, null, 0, 0, null, null, denied.getMessage()));
            }
            if (seats.isEmpty()) {
                return Optional.empty();
            }
            int holding = (int) seats.stream().filter(LockInspector.Seat::holds).count();
            return Optional.of(new Queue(
                    name,
                    seats.get(0).kind().name(),
                    holding,
                    seats.size() - holding,
                    owner(seats, false).map(QueueReport.Owner::since).orElse(null),
                    owner(seats, true).orElse(null),
                    null));
        }

        private static Optional<QueueReport.Owner> owner(List<LockInspector.Seat> seats, boolean holds) {
            return seats.stream()
                    .filter(seat -> seat.holds() == holds)
                    .findFirst()
                    .flatMap(LockInspector.Seat::owner)
                    .map(QueueReport.Owner::of);
        }
    }
}
