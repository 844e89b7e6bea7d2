package io.github.zklock.console;

import io.github.zklock.LockInspector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this process holds and waits for, and what became of it lately, as JSON. Times are in milliseconds. */
record StateReport(
        String application, String instance, long now, long snapshotMillis, Release release, List<Registry> registries)
        implements JsonRecord {

    /** So many locks are shown of each list; the counts tell of all. */
    static final int LONGEST_LIST = 200;

    /** @param reason why a release is not allowed, and what to do about it; null if it is */
    record Release(
            boolean allowed,
            @Nullable String reason,
            @Nullable Csrf csrf) implements JsonRecord {}

    record Registry(
            String name,
            Session session,
            int heldCount,
            List<Held> held,
            int awaitedCount,
            List<Awaited> awaited,
            List<Loss> recentLosses,
            History history)
            implements JsonRecord {

        static Registry of(String name, LockInspector inspector, LockHistory history) {
            List<LockInspector.Held> held = inspector.held();
            List<LockInspector.Awaited> awaited = inspector.awaited();
            return new Registry(
                    name,
                    Session.of(inspector.session()),
                    held.size(),
                    held.stream().limit(LONGEST_LIST).map(Held::of).toList(),
                    awaited.size(),
                    awaited.stream().limit(LONGEST_LIST).map(Awaited::of).toList(),
                    history.losses(),
                    new History(LockHistory.STEP_MILLIS, history.points(held.size(), awaited.size())));
        }
    }

    record Session(boolean connected, String id, long timeoutMillis, long remainingMillis) implements JsonRecord {

        static Session of(LockInspector.Session session) {
            return new Session(
                    session.connected(),
                    session.id(),
                    session.timeout().toMillis(),
                    session.remaining().toMillis());
        }
    }

    /** @param token a text: it does not fit into a number of JavaScript's */
    record Held(
            String name,
            String kind,
            int permits,
            String token,
            String state,
            String seat,
            String thread,
            int holds,
            long heldMillis,
            long remainingMillis)
            implements JsonRecord {

        static Held of(LockInspector.Held held) {
            return new Held(
                    held.name().value(),
                    held.kind().name(),
                    held.permits(),
                    held.token().toString(),
                    held.state().name(),
                    held.seatId(),
                    held.holder(),
                    held.holds(),
                    held.held().toMillis(),
                    held.remaining().toMillis());
        }
    }

    record Awaited(String name, String kind, int permits, String thread, long waitedMillis) implements JsonRecord {

        static Awaited of(LockInspector.Awaited awaited) {
            return new Awaited(
                    awaited.name().value(),
                    awaited.kind().name(),
                    awaited.permits(),
                    awaited.waiter(),
                    awaited.waited().toMillis());
        }
    }

    record Loss(String name, String token, String reason, long at) implements JsonRecord {}

    record History(long stepMillis, List<Point> points) implements JsonRecord {}

    record Point(
            long at,
            int acquired,
            int timeouts,
            int unavailable,
            int losses,
            double waitMeanMillis,
            double waitMaxMillis,
            double holdMeanMillis,
            double holdMaxMillis,
            int held,
            int waiting)
            implements JsonRecord {}
}
