package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.Leadership;
import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Session;
import io.github.zklock.fence.JdbcFence;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the session that owns a registry's locks, from local state without I/O. It is down while there is no
 * connection, also before the first connection, because no lock can be acquired then. Leaderships are a detail: a candidate
 * that is not the leader is healthy. Rejected late writes are a detail, too.
 *
 * <p>Not guaranteed: that a lock can be acquired. Another process may hold it, or an access list may forbid it.
 */
final class LockHealthIndicator extends AbstractHealthIndicator {

    private final LockInspector inspector;
    private final Supplier<? extends Collection<Leadership>> leaderships;
    private final Supplier<Optional<JdbcFence>> fence;

    /**
     * @param leaderships returns the candidacies that belong to this indicator
     * @param fence returns the fence whose rejected transactions this indicator shows
     */
    LockHealthIndicator(
            LockInspector inspector,
            Supplier<? extends Collection<Leadership>> leaderships,
            Supplier<Optional<JdbcFence>> fence) {
        super("The state of the ZooKeeper session of zk-lock cannot be determined");
        this.inspector = inspector;
        this.leaderships = leaderships;
        this.fence = fence;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Session session = inspector.session();
        int held = inspector.held().size();
        if (!session.connected()) {
            health.down()
                    .withDetail(
                            "reason",
                            session.id().isEmpty()
                                    ? "There is no session: no lock can be acquired"
                                    : "The connection is lost: no lock can be acquired, held locks may be lost");
        } else if (held > 0 && session.remaining().isZero()) {
            // without holders the proof is not renewed, so that its end is no failure
            health.down().withDetail("reason", "The session is not proven to be alive: held locks are suspended");
        } else {
            health.up();
        }
        health.withDetail("connected", session.connected())
                .withDetail("session", session.id())
                .withDetail("timeout", Texts.of(session.timeout()))
                .withDetail("remaining", Texts.of(session.remaining()))
                .withDetail("held", held)
                .withDetail("waiting", inspector.awaited().size());
        Map<String, String> roles = new TreeMap<>();
        for (Leadership leadership : leaderships.get()) {
            roles.put(leadership.name().value(), leadership.isLeader() ? "leader" : "candidate");
        }
        if (!roles.isEmpty()) {
            health.withDetail("leaderships", roles);
        }
        fence.get().ifPresent(each -> {
            Map<String, Object> late = new TreeMap<>();
            late.put("rejected", each.rejected());
            each.latest().ifPresent(latest -> late.put("latest", latest.toString()));
            health.withDetail("fence", late);
        });
    }
}
