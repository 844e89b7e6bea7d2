package io.github.zklock.test;

import io.github.zklock.LockInspector;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockUnavailableException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Answers questions about locks, as one member sees them. */
final class Inspection implements LockInspector {

    private static final int LARGEST_PAGE = 10_000;

    private final Member member;

    Inspection(Member member) {
        this.member = member;
    }

    @Override
    public List<Held> held() {
        return member.ensemble()
                .ask(() ->
                        member.holdings().turns().stream().map(Turn::describe).toList());
    }

    @Override
    public List<Awaited> awaited() {
        return member.ensemble().ask(() -> member.claims().describe());
    }

    @Override
    public Session session() {
        return member.ensemble().ask(this::describeSession);
    }

    @Override
    public List<Seat> queue(String name) throws InterruptedException {
        LockName lock = LockName.of(name);
        return askCluster(
                lock, () -> member.ensemble().line(lock).map(Line::describe).orElse(List.of()));
    }

    @Override
    public List<LockName> names(String prefix, String after, int limit) throws InterruptedException {
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw new IllegalArgumentException("Page size " + limit + " is not between 1 and " + LARGEST_PAGE);
        }
        String below = prefix.equals("/") ? "/" : LockName.of(prefix).value() + "/";
        String last = after.isEmpty() ? "" : path(LockName.of(after));
        LockName about = prefix.equals("/") ? LockName.of("all") : LockName.of(prefix);
        return askCluster(
                about,
                () -> member.ensemble().names().stream()
                        .filter(name -> name.value().startsWith(below))
                        .filter(name -> path(name).compareTo(last) > 0)
                        .sorted(Comparator.comparing(Inspection::path))
                        .limit(limit)
                        .toList());
    }

    @Override
    public int availablePermits(String name, int permits) throws InterruptedException {
        LockName lock = LockName.of(name);
        MemorySemaphore.checkTotal(lock, permits);
        Demand use = Demand.permits(1, permits);
        return askCluster(lock, () -> {
            Optional<Line> line = member.ensemble().line(lock);
            line.flatMap(there -> there.clashWith(use)).ifPresent(clash -> {
                throw mismatch(
                        lock,
                        use,
                        clash.describeOwner() + " uses it for " + clash.demand().use());
            });
            int taken = line.map(there -> there.all().permits()).orElse(0);
            return Math.max(0, permits - taken);
        });
    }

    @Override
    public boolean evict(String name, String seatId) throws InterruptedException {
        LockName lock = LockName.of(name);
        Objects.requireNonNull(seatId, "seatId");
        return askCluster(lock, () -> member.ensemble().evict(lock, seatId));
    }

    private Session describeSession() {
        boolean connected = member.isConnected();
        Duration timeout =
                member.session().isEmpty() ? Duration.ZERO : member.settings().sessionTimeout();
        return new Session(
                connected, member.session(), timeout, connected ? timeout : Duration.ZERO, member.renewals());
    }

    private <T> T askCluster(LockName about, Supplier<T> question) throws InterruptedException {
        Duration limit = member.settings().connectionTimeout();
        return member.ensemble()
                .askWhen(() -> member.isConnected() || member.isClosed(), Alarms.nanos(limit), () -> {
                    if (member.isClosed()) {
                        throw unavailable(about, "its registry is closed");
                    }
                    return question.get();
                })
                .orElseThrow(() -> unavailable(about, "the cluster could not be reached within " + limit));
    }

    private static LockUnavailableException unavailable(LockName about, String fact) {
        return new LockUnavailableException(about, "Lock '" + about + "' not inspected: " + fact, null);
    }

    private LockMismatchException mismatch(LockName name, Demand wanted, String other) {
        return new LockMismatchException(
                name,
                "Lock '%s' not inspected: %s takes it for %s, but %s"
                        .formatted(name, member.settings().instance(), wanted.use(), other));
    }

    /** Compares by segments: a name comes before those below it, and these before its next sibling. */
    private static String path(LockName name) {
        return name.value().replace('/', '\u0001');
    }
}
