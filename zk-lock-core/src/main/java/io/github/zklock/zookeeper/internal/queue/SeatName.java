package io.github.zklock.zookeeper.internal.queue;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a node that stands in a lock's queue, as Curator's recipes write it: {@code _c_<uuid>-lock-<sequence>},
 * with {@code __READ__} or {@code __WRIT__} in place of {@code lock-} for the two kinds of a read/write lock. Those of a
 * semaphore, {@code _c_<uuid>-permits-<wanted>-of-<all>-<sequence>}, are known to this library alone.
 *
 * @param id the uuid, or the whole name where a foreign client made it without one
 */
public record SeatName(String node, String id, Demand demand, long sequence) {

    /** Beyond this a create is refused: at 2^31-1 the server's counter sticks, and seats could no longer be told apart. */
    private static final long LAST_SEQUENCE = 2_000_000_000L;

    private static final int UUID_LENGTH = 36;

    // beyond 2^31-1 servers give negative ones to creates that arrive together: they too must be found and deleted (M7)
    private static final String SEQUENCE = "(?<sequence>-?\\d{10})";

    /** The place of the version in a UUID. */
    private static final int VERSION_AT = 14;

    /** The version of UUIDs with a meaning of their maker's (RFC 9562, 5.8). Curator's are random: version 4. */
    private static final char CUSTOM = '8';

    private static final Pattern NAMED = Pattern.compile(
            "_c_(?<id>.{36})-(?<marker>lock-|__READ__|__WRIT__|permits-(?<permits>[1-9]\\d{0,4})-of-(?<of>[1-9]\\d{0,4})-)"
                    + SEQUENCE);
    private static final Pattern ANONYMOUS = Pattern.compile("(?<marker>lock-|__READ__|__WRIT__)" + SEQUENCE);

    /** What the node of this seat begins with; the server appends the sequence. */
    public static String stem(String id, Demand demand) {
        return "_c_" + id + "-"
                + switch (demand.kind()) {
                    case EXCLUSIVE -> "lock-";
                    case READ -> "__READ__";
                    case WRITE -> "__WRIT__";
                    case PERMITS -> "permits-" + demand.permits() + "-of-" + demand.of() + "-";
                };
    }

    /** The length of {@link #stem}, all of ASCII, for an id that is a UUID. */
    public static int stemLength(Demand demand) {
        int fixed = "_c_".length() + UUID_LENGTH + 1;
        return fixed
                + switch (demand.kind()) {
                    case EXCLUSIVE -> "lock-".length();
                    case READ, WRITE -> "__READ__".length();
                    case PERMITS -> "permits--of--".length() + digits(demand.permits()) + digits(demand.of());
                };
    }

    private static int digits(int number) {
        int digits = 1;
        for (int rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** The name of a node that was created as a seat. */
    public static SeatName ofPath(String path) {
        return parse(path.substring(path.lastIndexOf('/') + 1))
                .orElseThrow(() -> new IllegalStateException("Node " + path + " is no seat"));
    }

    /** Returns this id as that of a seat that may linger. (L30) */
    public static String lingering(String id) {
        return id.substring(0, VERSION_AT) + CUSTOM + id.substring(VERSION_AT + 1);
    }

    /** Whether the seat may linger. If so, its data says whether it is idle. (L30) */
    public boolean mayLinger() {
        return id.length() == UUID_LENGTH && id.charAt(VERSION_AT) == CUSTOM;
    }

    /** Whether its sequence can no longer be relied on, as the server's counter is near its end or beyond. (M7) */
    public boolean isPastTheLast() {
        return sequence >= LAST_SEQUENCE || sequence < 0;
    }

    /** Reads the name of a child of a lock's folder; empty if it is no seat. */
    public static Optional<SeatName> parse(String node) {
        Matcher named = NAMED.matcher(node);
        if (named.matches()) {
            return Optional.of(new SeatName(node, named.group("id"), demandOf(named), sequenceOf(named)));
        }
        Matcher anonymous = ANONYMOUS.matcher(node);
        return anonymous.matches()
                ? Optional.of(new SeatName(node, node, kindOf(anonymous), sequenceOf(anonymous)))
                : Optional.empty();
    }

    /** This writer's place in the queue as that of a reader, which stands right behind it. */
    public SeatName asReader() {
        return new SeatName("%s%010d".formatted(stem(id, Demand.READ), sequence), id, Demand.READ, sequence);
    }

    private static Demand demandOf(Matcher named) {
        return named.group("permits") == null
                ? kindOf(named)
                : Demand.permits(Integer.parseInt(named.group("permits")), Integer.parseInt(named.group("of")));
    }

    private static Demand kindOf(Matcher name) {
        return switch (name.group("marker")) {
            case "__READ__" -> Demand.READ;
            case "__WRIT__" -> Demand.WRITE;
            default -> Demand.EXCLUSIVE;
        };
    }

    private static long sequenceOf(Matcher name) {
        return Long.parseLong(name.group("sequence"));
    }
}
