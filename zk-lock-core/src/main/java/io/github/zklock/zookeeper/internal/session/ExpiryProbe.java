package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.BasePath;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The evidence that ends the suspicion of a session: another session, the probe, that has expired later. {@link
 * Suspicion} explains why this is evidence. Owned by the loop.
 *
 * <pre>
 * NONE -&gt; REQUESTED                 the session is suspect
 * REQUESTED -&gt; CREATED | FAILED     the node of the probe was created / was not
 * CREATED -&gt; PRESENT | FAILED       the session has found the node / has not
 * PRESENT -&gt; NONE                   the node is gone, so the probe has expired
 * CREATED | PRESENT -&gt; REQUESTED    the session became suspect again, later than the probe may expire
 * FAILED -&gt; REQUESTED               at the next tick
 * any -&gt; REQUESTED                  the probe is too old
 * </pre>
 *
 * <p>A node that the session has never found shows nothing: if the servers of the client have been changed, the probe may
 * be a session of other servers.
 */
final class ExpiryProbe {

    private static final Logger LOG = EngineLog.of(ExpiryProbe.class);

    /**
     * The number of session timeouts after which a probe is replaced. A leader that stands still while it touches a
     * session may add it to a bucket that it has polled (ExpiryQueue.update). Such a session never expires.
     */
    private static final int MOST_TIMEOUTS = 4;

    private static final int MOST_DOUBLINGS = 2;

    /** The pauses between two checks in a session timeout: more than ticks, so that no lapse follows meanwhile. */
    private static final int CHECK_PAUSES = 16;

    private enum State {
        NONE,
        REQUESTED,
        CREATED,
        PRESENT,
        FAILED
    }

    private final PinnedSession session;
    private final Time time;
    private final String basePath;

    private State state = State.NONE;
    /** An instant before the probe was created. */
    private long requestedAt;
    /** The timeout of the probe, once it is created. */
    private long granted;

    private int doublings;
    private boolean checking;
    private boolean denialLogged;

    ExpiryProbe(PinnedSession session, Time time, String basePath) {
        this.session = session;
        this.time = time;
        this.basePath = basePath;
    }

    /** Requests a probe if the session is suspect, unless the present one may end that. */
    void begin() {
        boolean useless = isCreated() && !session.proof().isSuspicionEndedBy(requestedAt, granted);
        if (session.isSuspect() && (state == State.NONE || useless)) {
            doublings = 0;
            request();
        }
    }

    /** Checks again and again whether the probe has expired, and replaces one that failed. */
    void tick() {
        begin();
        if (!session.isSuspect()) {
            return;
        }
        if (state == State.FAILED || time.nanoTime() - requestedAt > MOST_TIMEOUTS * session.timeoutNanos()) {
            request();
        } else if (isCreated() && !checking) {
            check(requestedAt);
        }
    }

    private boolean isCreated() {
        return state == State.CREATED || state == State.PRESENT;
    }

    private void request() {
        long now = time.nanoTime();
        state = State.REQUESTED;
        requestedAt = now;
        // short, so that the wait is short, but a connection has to be established within a part of it
        long timeout = session.timeoutNanos() >> (MOST_DOUBLINGS - doublings);
        session.createExpiring(nodeOf(now), timeout, (outcome, lasts) -> {
            if (requestedAt == now) {
                answered(outcome, lasts);
            }
        });
    }

    private String nodeOf(long instant) {
        return "%s/_session-%x-probe-%x".formatted(BasePath.prefix(basePath), session.sessionId(), instant);
    }

    private void answered(Outcome outcome, @Nullable Long lasts) {
        if (outcome == Outcome.OK && lasts != null) {
            state = State.CREATED;
            granted = lasts;
            tick();
            return;
        }
        LOG.debug("The node {} could not be created ({})", nodeOf(requestedAt), outcome);
        failed();
        warnOfDenial(outcome);
    }

    private void failed() {
        state = State.FAILED;
        doublings = Math.min(MOST_DOUBLINGS, doublings + 1);
    }

    private void warnOfDenial(Outcome outcome) {
        if (outcome == Outcome.ACCESS_DENIED && !denialLogged) {
            denialLogged = true;
            LOG.warn(
                    "Locks of session {} stay suspended, because the node {} could not be created and checked: grant this"
                            + " client create and read on the base path",
                    Long.toHexString(session.sessionId()),
                    nodeOf(requestedAt));
        }
    }

    /** @param instant identifies the probe */
    private void check(long instant) {
        checking = true;
        session.check(List.of(nodeOf(instant)), (outcome, missing) -> {
            warnOfDenial(outcome);
            boolean current = instant == requestedAt;
            // the leader answers in the order of its transactions: a node that is not found any more was deleted
            if (current && outcome == Outcome.NO_NODE) {
                checking = false;
                gone();
            } else {
                if (current && outcome == Outcome.OK) {
                    state = State.PRESENT;
                }
                time.after(session.timeoutNanos() / CHECK_PAUSES, () -> {
                    checking = false;
                    tick();
                });
            }
        });
    }

    private void gone() {
        if (state != State.PRESENT) {
            LOG.debug("The node {} was created, but this session has not found it", nodeOf(requestedAt));
            failed();
            return;
        }
        state = State.NONE;
        session.proof().laterSessionExpired(requestedAt, granted, time.nanoTime());
        if (!session.isSuspect()) {
            session.check(List.of(basePath), (outcome, missing) -> {});
        }
    }
}
