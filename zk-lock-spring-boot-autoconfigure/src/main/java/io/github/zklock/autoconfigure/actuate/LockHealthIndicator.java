package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Session;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the session on which a registry's locks rest, as this process knows it: does no I/O. Down while there is
 * no connection, also before the first one: what needs a lock cannot work then.
 *
 * <p>Not guaranteed: that a lock can be had. Others may hold it, and an access list may forbid it.
 */
final class LockHealthIndicator extends AbstractHealthIndicator {

    private final LockInspector inspector;

    LockHealthIndicator(LockInspector inspector) {
        super("The state of the ZooKeeper session of zk-lock cannot be determined");
        this.inspector = inspector;
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
            // without holders nobody renews the proof, and its end says nothing
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
    }
}
