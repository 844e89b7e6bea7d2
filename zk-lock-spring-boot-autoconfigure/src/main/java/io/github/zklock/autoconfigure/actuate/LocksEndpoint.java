package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.Leadership;
import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * The endpoint {@code zklocks}: the locks that this process holds and waits for, and the queue of each lock in the
 * cluster. If the access to the endpoint is unrestricted, it can also release a seat by force. Each request to
 * ZooKeeper takes at most the connection timeout.
 *
 * <p>{@link LocksWebExtension} exposes it over HTTP.
 */
@Endpoint(id = LocksEndpoint.ID, defaultAccess = Access.READ_ONLY)
final class LocksEndpoint implements AutoCloseable {

    static final String ID = "zklocks";

    private static final int DEFAULT_PAGE = 100;

    private final Map<String, LockRegistry> registries;
    private final Supplier<? extends Collection<Leadership>> leaderships;
    private final Supplier<List<LocksReport.Job>> jobs;
    private final String instance;
    private final BooleanSupplier releasable;
    private final @Nullable LocksHistory past;
    private final Map<String, EventTotals> totals = new LinkedHashMap<>();
    private final List<Registration> registrations = new ArrayList<>();

    /**
     * @param instance the name of this process in the queues
     * @param releasable returns whether the access to this endpoint permits a forced release
     * @param past null if it is not recorded
     */
    LocksEndpoint(
            Map<String, LockRegistry> registries,
            Supplier<? extends Collection<Leadership>> leaderships,
            Supplier<List<LocksReport.Job>> jobs,
            String instance,
            BooleanSupplier releasable,
            @Nullable LocksHistory past) {
        this.registries = new LinkedHashMap<>(registries);
        this.leaderships = leaderships;
        this.jobs = jobs;
        this.instance = instance;
        this.releasable = releasable;
        this.past = past;
        registries.forEach((name, registry) -> {
            EventTotals counted = new EventTotals();
            totals.put(name, counted);
            registrations.add(registry.addListener(counted));
        });
    }

    /**
     * Returns the locks that this process holds and waits for, its candidacies and its jobs. With a prefix, {@code after}, a
     * limit or {@code queues}, it also returns a page of the names of all locks in the cluster. Only that part sends
     * requests to ZooKeeper.
     *
     * @param queues whether to read also the queue of each lock of the page
     * @param history whether to return also the history, if it is recorded
     */
    @ReadOperation
    LocksReport locks(
            @Nullable String prefix,
            @Nullable String after,
            @Nullable Integer limit,
            @Nullable Boolean queues,
            @Nullable Boolean history,
            @Nullable String registry)
            throws InterruptedException {
        boolean queuesWanted = Boolean.TRUE.equals(queues);
        boolean namesWanted = prefix != null || after != null || limit != null || queuesWanted;
        int pageSize = limit == null ? DEFAULT_PAGE : limit;
        if (queuesWanted && pageSize > LocksReport.MOST_QUEUES) {
            throw new IllegalArgumentException("Page size " + pageSize + " is more than " + LocksReport.MOST_QUEUES
                    + ", the largest page with queues");
        }
        Map<String, LocksReport.Registry> reports = new LinkedHashMap<>();
        for (Map.Entry<String, LockRegistry> each : chosen(registry).entrySet()) {
            LockInspector inspector = each.getValue().inspector();
            LocksReport.Names names = null;
            if (namesWanted) {
                String below = prefix == null || prefix.isEmpty() ? "/" : prefix;
                names = LocksReport.Names.read(inspector, below, after == null ? "" : after, pageSize, queuesWanted);
            }
            EventTotals events = Objects.requireNonNull(totals.get(each.getKey()));
            List<LocksReport.Step> steps = past != null && Boolean.TRUE.equals(history) ? past.of(each.getKey()) : null;
            reports.put(each.getKey(), LocksReport.Registry.of(inspector, events, steps, names));
        }
        return new LocksReport(
                instance,
                Texts.of(Instant.now()),
                releasable.getAsBoolean(),
                leaderships.get().stream().map(LocksReport.Candidacy::of).toList(),
                jobs.get(),
                reports);
    }

    /** Returns the queue of a lock in the cluster. */
    @ReadOperation
    QueueReport queue(@Selector(match = Match.ALL_REMAINING) String[] name, @Nullable String registry)
            throws InterruptedException {
        LockName lock = nameOf(name);
        Map<String, QueueReport.Queue> queues = new LinkedHashMap<>();
        for (Map.Entry<String, LockRegistry> each : chosen(registry).entrySet()) {
            queues.put(
                    each.getKey(),
                    QueueReport.Queue.of(each.getValue().inspector().queue(lock.value())));
        }
        return new QueueReport(lock.value(), queues);
    }

    /** Releases the lock of this seat if the seat holds it. */
    @DeleteOperation
    ReleaseReport release(@Selector(match = Match.ALL_REMAINING) String[] name, String seat, @Nullable String registry)
            throws InterruptedException {
        return release(name, seat, registry, "an unnamed caller");
    }

    ReleaseReport release(String[] name, String seat, @Nullable String registry, String asker)
            throws InterruptedException {
        LockName lock = nameOf(name);
        Map<String, LockRegistry> chosen = chosen(registry);
        if (chosen.size() > 1) {
            throw new IllegalArgumentException("There are several registries; name one of " + registries.keySet()
                    + " by the parameter 'registry'");
        }
        Map.Entry<String, LockRegistry> only = chosen.entrySet().iterator().next();
        ForcedRelease release = new ForcedRelease(only.getKey(), only.getValue().inspector());
        return ReleaseReport.of(lock, only.getKey(), seat, release.of(lock, seat, asker));
    }

    /** Stops the counting of events. */
    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }

    private Map<String, LockRegistry> chosen(@Nullable String name) {
        if (name == null) {
            return registries;
        }
        LockRegistry registry = registries.get(name);
        if (registry == null) {
            throw new IllegalArgumentException(
                    "There is no registry '" + name + "'; name one of " + registries.keySet());
        }
        return Map.of(name, registry);
    }

    private static LockName nameOf(String[] segments) {
        return LockName.of(String.join("/", segments));
    }
}
