package io.github.zklock.console;

import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import io.github.zklock.autoconfigure.actuate.ForcedRelease;
import io.github.zklock.console.LocksPage.Here;
import io.github.zklock.console.LocksPage.Row;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A registry as the console sees it, with what it remembers of it for all viewers. */
final class WatchedRegistry implements AutoCloseable {

    /** How long a viewer waits for something newer where there is something to show. */
    private static final Duration SHORT = Duration.ofMillis(500);

    private final String name;
    private final LockInspector inspector;
    private final Readers readers;
    private final LockHistory history;
    private final Shared<NameSnapshot> names;
    private final Queues queues;
    private final Registration registration;

    WatchedRegistry(String name, LockRegistry registry, Readers readers, InstantSource clock) {
        this.name = name;
        this.inspector = registry.inspector();
        this.readers = readers;
        this.history = new LockHistory(inspector, clock);
        this.names = new Shared<>(this::readNames, readers);
        this.queues = new Queues(inspector, readers);
        this.registration = registry.addListener(history);
    }

    String name() {
        return name;
    }

    StateReport.Registry state() {
        return StateReport.Registry.of(name, inspector, history);
    }

    LocksPage locks(String search, String folder, int offset, int limit) throws InterruptedException {
        long askedAt = readers.nanoTime();
        Shared.View<NameSnapshot> snapshot = current(List.of(names), askedAt).get(0);
        NameSnapshot known =
                snapshot.last().map(Shared.Reading::value).orElseGet(() -> new NameSnapshot(List.of(), false));
        List<String> matching = known.matching(search, folder);
        List<String> page = matching.stream().skip(offset).limit(limit).toList();
        List<Shared.View<Queue>> read = current(page.stream().map(queues::row).toList(), askedAt);
        Optional<String> problem = read.stream()
                .flatMap(queue -> queue.problem().stream())
                .findFirst()
                .or(() -> read.stream()
                        .filter(queue -> queue.last().isEmpty())
                        .findFirst()
                        .map(late -> "ZooKeeper has not told all queues yet"));
        return new LocksPage(
                name,
                matching.size(),
                known.names().size(),
                known.truncated(),
                snapshot.last().map(Shared.Reading::takenAt).orElse(0L),
                offset,
                rows(page, read),
                snapshot.problem()
                        .or(() -> snapshot.last().isPresent()
                                ? problem
                                : Optional.of("ZooKeeper has not told the names of all locks yet"))
                        .orElse(null));
    }

    QueueReport queue(LockName lock, int limit) throws InterruptedException {
        Shared.View<Queue> view =
                current(List.of(queues.whole(lock.value())), readers.nanoTime()).get(0);
        Queue known = view.last().map(Shared.Reading::value).orElseGet(() -> Queue.of(List.of(), 0));
        String session = inspector.session().id();
        Map<String, String> tokens = inspector.held().stream()
                .collect(Collectors.toMap(
                        LockInspector.Held::seatId, held -> held.token().toString(), (a, b) -> b));
        return new QueueReport(
                name,
                lock.value(),
                known.length(),
                known.holding(),
                known.first().stream()
                        .limit(limit)
                        .map(seat -> QueueReport.Seat.of(seat, session, tokens))
                        .toList(),
                view.problem()
                        .or(() -> view.last().isPresent()
                                ? Optional.empty()
                                : Optional.of("ZooKeeper has not told the queue yet"))
                        .orElse(null));
    }

    ReleaseReport release(LockName lock, String seat, String asker) throws InterruptedException {
        ForcedRelease.Result result;
        try {
            result = new ForcedRelease(name, inspector).of(lock, seat, asker);
        } finally {
            // also after a failure: nobody knows then what has changed
            queues.forget(lock.value());
        }
        return new ReleaseReport(
                lock.value(),
                name,
                seat,
                result.outcome(),
                result.owner().map(QueueReport.Owner::of).orElse(null));
    }

    @Override
    public void close() {
        registration.close();
    }

    private NameSnapshot readNames() throws InterruptedException {
        NoConnectionException.checkConnected(inspector);
        return NameSnapshot.take(inspector, readers.patience(), readers::nanoTime);
    }

    /** What there is of these, newer if it comes in time: a viewer waits no longer than ZooKeeper may take to answer. */
    private <T> List<Shared.View<T>> current(List<Shared<T>> wanted, long askedAt) throws InterruptedException {
        List<CompletableFuture<?>> readings = new ArrayList<>();
        wanted.forEach(each -> readings.add(each.refresh()));
        boolean something = wanted.stream().allMatch(each -> each.view().last().isPresent());
        Duration left = readers.patience().minusNanos(readers.nanoTime() - askedAt);
        Duration atMost = something && left.compareTo(SHORT) > 0 ? SHORT : left;
        readers.await(readings, atMost.isNegative() ? Duration.ZERO : atMost);
        return wanted.stream().map(Shared::view).toList();
    }

    private List<Row> rows(List<String> page, List<Shared.View<Queue>> read) {
        Map<String, Here> here = new HashMap<>();
        inspector.awaited().forEach(wait -> here.put(wait.name().value(), Here.WAITING));
        inspector.held().forEach(hold -> here.put(hold.name().value(), Here.HELD));
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < page.size(); i++) {
            rows.add(row(page.get(i), read.get(i), here.get(page.get(i))));
        }
        return rows;
    }

    private static Row row(String lock, Shared.View<Queue> queue, @Nullable Here here) {
        return queue.last().map(known -> Row.of(lock, known.value(), here)).orElseGet(() -> Row.unknown(lock, here));
    }
}
