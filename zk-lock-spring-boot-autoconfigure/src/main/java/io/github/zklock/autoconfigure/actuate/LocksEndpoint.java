package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * The endpoint {@code zklocks}: what is held and awaited here, who stands in a lock's queue anywhere, and the forced
 * release of a seat for those who have unrestricted access. Questions about the cluster take the connection timeout at
 * most.
 *
 * <p>{@link LocksWebExtension} says it over HTTP.
 */
@Endpoint(id = LocksEndpoint.ID, defaultAccess = Access.READ_ONLY)
final class LocksEndpoint {

    static final String ID = "zklocks";

    private static final int DEFAULT_PAGE = 100;

    private final Map<String, LockRegistry> registries;

    LocksEndpoint(Map<String, LockRegistry> registries) {
        this.registries = new LinkedHashMap<>(registries);
    }

    /**
     * What this process holds and waits for; with a prefix, {@code after} or a limit also a page of the names of all
     * locks in the cluster, which is the only part that asks ZooKeeper.
     */
    @ReadOperation
    LocksReport locks(
            @Nullable String prefix, @Nullable String after, @Nullable Integer limit, @Nullable String registry)
            throws InterruptedException {
        boolean namesWanted = prefix != null || after != null || limit != null;
        int pageSize = limit == null ? DEFAULT_PAGE : limit;
        Map<String, LocksReport.Registry> reports = new LinkedHashMap<>();
        for (Map.Entry<String, LockRegistry> each : chosen(registry).entrySet()) {
            LockInspector inspector = each.getValue().inspector();
            LocksReport.Names names = null;
            if (namesWanted) {
                String below = prefix == null || prefix.isEmpty() ? "/" : prefix;
                names = LocksReport.Names.of(inspector.names(below, after == null ? "" : after, pageSize), pageSize);
            }
            reports.put(each.getKey(), LocksReport.Registry.of(inspector, names));
        }
        return new LocksReport(reports);
    }

    /** The queue of a lock over the cluster. */
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

    /** Takes the lock from this seat, if it holds. */
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
