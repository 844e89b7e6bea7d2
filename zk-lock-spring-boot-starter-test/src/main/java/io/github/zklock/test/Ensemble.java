package io.github.zklock.test;

import io.github.zklock.LockName;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the servers know: the lines of all locks and the members of the cluster, under one lock. No code of users runs
 * under it, and nobody waits for anything but connections.
 */
final class Ensemble {

    private static final int REMEMBERED_NAMES = 10_000;
    private static final long FIRST_SESSION = 0x1000_0000L;

    // guards: everything below, and the members, seats, turns and claims
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition connections = lock.newCondition();
    private final Alarms alarms = new Alarms(lock);
    private final Workers workers = new Workers();
    private final Map<LockName, Line> lines = new HashMap<>();
    private final Set<Member> members = new LinkedHashSet<>();
    private final Set<LockName> names = new LinkedHashSet<>();
    private long numbers;
    private long sessions = FIRST_SESSION;
    private int processes;
    private boolean down;
    private boolean closed;

    Alarms alarms() {
        return alarms;
    }

    Workers workers() {
        return workers;
    }

    <T extends @Nullable Object> T ask(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    void run(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks once this is so.
     *
     * @return empty if it was not in time
     */
    <T> Optional<T> askWhen(BooleanSupplier ready, long nanos, Supplier<T> question) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (!ready.getAsBoolean() && left > 0) {
                left = connections.awaitNanos(left);
            }
            return ready.getAsBoolean() ? Optional.of(question.get()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    void connectionsChanged() {
        connections.signalAll();
    }

    /** A name for a process that has none. */
    String nextInstance() {
        processes++;
        return "process-" + processes;
    }

    /** Rises for ever: seats are numbered by it, and fencing tokens are taken from it. */
    long nextNumber() {
        numbers++;
        return numbers;
    }

    String nextSession() {
        sessions++;
        return Long.toHexString(sessions);
    }

    boolean isDown() {
        return down;
    }

    void add(Member member) {
        if (closed) {
            throw new IllegalStateException("The cluster is closed; nobody can join it. Use a new one");
        }
        members.add(member);
    }

    void forget(Member member) {
        members.remove(member);
    }

    void outage() {
        down = true;
        List.copyOf(members).forEach(Member::connectionMayHaveChanged);
    }

    void heal() {
        down = false;
        List.copyOf(members).forEach(Member::connectionMayHaveChanged);
    }

    void close() {
        closed = true;
        List.copyOf(members).forEach(Member::shutDown);
        alarms.shutDown();
        workers.shutDown();
    }

    Optional<Line> line(LockName name) {
        return Optional.ofNullable(lines.get(name));
    }

    Line lineFor(LockName name) {
        names.remove(name);
        names.add(name);
        if (names.size() > REMEMBERED_NAMES) {
            names.remove(names.iterator().next());
        }
        return lines.computeIfAbsent(name, Line::new);
    }

    /** Takes a seat out of its line, without granting anything. */
    void remove(Seat seat) {
        Line line = seat.line();
        line.seats().remove(seat);
        if (line.seats().isEmpty()) {
            lines.remove(line.name(), line);
        }
    }

    /** Deletes a seat, as an operator does. */
    void delete(Seat seat, String reason) {
        remove(seat);
        seat.member().deleted(seat, reason);
        seat.line().serve();
    }

    /** Deletes the seat of this id if it holds. False if there is none. */
    boolean evict(LockName name, String seatId) {
        Optional<Seat> named = line(name).stream()
                .flatMap(line -> line.seats().stream())
                .filter(seat -> seat.id().equals(seatId) && seat.holds())
                .findFirst();
        named.ifPresent(seat -> delete(seat, "it was evicted"));
        return named.isPresent();
    }

    /** The names of the lines that are there or were lately. */
    Collection<LockName> names() {
        return names;
    }

    /** Whether nobody stands in a line, and nobody is a member. */
    boolean isEmpty() {
        return lines.isEmpty() && members.isEmpty();
    }
}
