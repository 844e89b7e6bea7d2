package io.github.zklock.zookeeper.internal.deadlock;

import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.FlatJson;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The nested waits that one registry has published: lines of JSON objects, the first one about the registry, then one
 * for each wait. Other clients may have written what is read: a line that is no wait is ignored.
 *
 * @param instance the name of the process
 * @param rejects whether the registry rejects a request of its own that is the youngest of a deadlock
 */
record WaitReport(String instance, boolean rejects, List<Wait> waits) {

    /**
     * A request that waits while its caller holds other locks.
     *
     * @param id distinguishes the waits of one registry
     * @param permits the number of a semaphore's permits that it requests, {@code of} this number; 1 for other kinds
     * @param thread the name of the waiter
     * @param sinceMillis when the wait began, by the clock of its process
     */
    record Wait(
            long id,
            LockName lock,
            LockKind kind,
            int permits,
            int of,
            String thread,
            long sinceMillis,
            List<Hold> holds) {

        Demand demand() {
            return new Demand(kind, permits, of);
        }
    }

    /**
     * A lock that the caller holds.
     *
     * @param token of the turn: a seat may serve several turns
     */
    record Hold(String seatId, long token) {}

    /** Longer data was not written by this library. */
    static final int LONGEST_DATA = 64 * 1024;

    private static final int MOST_HOLDS = 40;
    private static final int LONGEST_TEXT = 100;

    byte[] write() {
        StringBuilder lines = new StringBuilder();
        FlatJson.quote(lines.append("{\"instance\":"), instance);
        lines.append(",\"rejects\":").append(rejects ? 1 : 0).append('}');
        for (Wait wait : waits) {
            StringBuilder line = new StringBuilder("\n{\"id\":").append(wait.id);
            FlatJson.quote(line.append(",\"lock\":"), wait.lock.value());
            FlatJson.quote(line.append(",\"kind\":"), wait.kind.name().toLowerCase(Locale.ROOT));
            line.append(",\"permits\":").append(wait.permits).append(",\"of\":").append(wait.of);
            FlatJson.quote(line.append(",\"thread\":"), wait.thread);
            line.append(",\"since\":").append(wait.sinceMillis).append(",\"holds\":\"");
            for (Hold hold : wait.holds.subList(0, Math.min(MOST_HOLDS, wait.holds.size()))) {
                line.append(hold.seatId).append(':').append(hold.token).append(' ');
            }
            line.append("\"}");
            if (line.length() <= FlatJson.LONGEST && lines.length() + line.length() <= LONGEST_DATA / 2) {
                lines.append(line);
            }
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    static WaitReport read(byte[] data) {
        List<Wait> waits = new ArrayList<>();
        String instance = "";
        boolean rejects = false;
        if (data.length <= LONGEST_DATA) {
            for (String line : new String(data, StandardCharsets.UTF_8).lines().toList()) {
                Map<String, Object> fields = FlatJson.read(line).orElse(Map.of());
                if (fields.get("instance") instanceof String name) {
                    instance = text(name);
                    rejects = fields.get("rejects") instanceof Long flag && flag == 1;
                }
                waitOf(fields).ifPresent(waits::add);
            }
        }
        return new WaitReport(instance, rejects, waits);
    }

    private static Optional<Wait> waitOf(Map<String, Object> fields) {
        try {
            return fields.get("id") instanceof Long id
                            && fields.get("lock") instanceof String lock
                            && fields.get("kind") instanceof String kind
                            && fields.get("permits") instanceof Long permits
                            && fields.get("of") instanceof Long of
                            && fields.get("thread") instanceof String thread
                            && fields.get("since") instanceof Long since
                            && fields.get("holds") instanceof String holds
                    ? Optional.of(new Wait(
                            id,
                            LockName.of(lock),
                            LockKind.valueOf(kind.toUpperCase(Locale.ROOT)),
                            Math.toIntExact(permits),
                            Math.toIntExact(of),
                            text(thread),
                            since,
                            holdsOf(holds)))
                    : Optional.empty();
        } catch (IllegalArgumentException | ArithmeticException notOurs) {
            return Optional.empty();
        }
    }

    /** Returns text of other clients as messages may show it. */
    private static String text(String any) {
        return OwnerDescription.printable(any.length() <= LONGEST_TEXT ? any : any.substring(0, LONGEST_TEXT));
    }

    private static List<Hold> holdsOf(String text) {
        List<Hold> holds = new ArrayList<>();
        for (String hold : text.split(" ", -1)) {
            int colon = hold.indexOf(':');
            if (colon > 0) {
                holds.add(new Hold(hold.substring(0, colon), Long.parseLong(hold.substring(colon + 1))));
            }
        }
        return holds;
    }
}
