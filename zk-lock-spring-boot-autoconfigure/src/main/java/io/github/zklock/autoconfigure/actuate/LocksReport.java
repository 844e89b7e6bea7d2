package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What this process holds and waits for, as JSON: one entry for each registry, by bean name, also if there is only one.
 */
record LocksReport(Map<String, Registry> registries) implements OperationResponseBody {

    /** So many locks are shown of each list; the counts tell of all. */
    static final int LONGEST_LIST = 1000;

    /** @param names a page of the names in the cluster, if it was asked for */
    record Registry(
            Session session,
            int heldCount,
            List<Held> held,
            int awaitedCount,
            List<Awaited> awaited,
            @Nullable Names names) {

        static Registry of(LockInspector inspector, @Nullable Names names) {
            Instant now = Instant.now();
            List<LockInspector.Held> held = inspector.held();
            List<LockInspector.Awaited> awaited = inspector.awaited();
            return new Registry(
                    Session.of(inspector.session()),
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
                    names);
        }
    }

    record Session(boolean connected, String id, String timeout, String remaining) {

        static Session of(LockInspector.Session session) {
            return new Session(
                    session.connected(), session.id(), Texts.of(session.timeout()), Texts.of(session.remaining()));
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

    /** @param next what to ask for as {@code after} to get the next page; null if this is the last one */
    record Names(List<String> page, @Nullable String next) {

        static Names of(List<LockName> names, int limit) {
            List<String> page = names.stream().map(LockName::value).toList();
            return new Names(page, page.size() < limit ? null : page.get(page.size() - 1));
        }
    }
}
