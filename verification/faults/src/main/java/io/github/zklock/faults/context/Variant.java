package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variant of a scenario run.
 *
 * @param engine {@code zklock}, or the engine of another library
 * @param jdk the JDK of the clients
 * @param servers the release of the servers
 * @param classes entries in front of the class path of the clients, such as a planted bug
 */
public record Variant(
        String engine,
        Policy policy,
        Kind kind,
        Surface surface,
        Jdk jdk,
        ServerRelease servers,
        List<String> classes) {

    private static final Pattern WORDS = Pattern.compile("(zklock) (\\S+) (\\S+) (\\S+) java (\\S+) zookeeper (\\S+)");

    /** The hand-off policy of the clients. */
    public enum Policy {
        BOUNDED,
        STRICT,
        LINGER
    }

    /** The kind of lock that the scenario uses. */
    public enum Kind {
        EXCLUSIVE,
        READ_WRITE,
        SEMAPHORE;

        /** Returns the specification that excludes all other holders. */
        public String exclusive() {
            return switch (this) {
                case EXCLUSIVE -> "exclusive";
                case READ_WRITE -> "write";
                case SEMAPHORE -> "permits-3-of-3";
            };
        }

        /** Returns what the other clients acquire meanwhile, each in one or more threads. */
        public List<String> contending() {
            return switch (this) {
                case EXCLUSIVE -> List.of("exclusive");
                case READ_WRITE -> List.of("read", "write");
                case SEMAPHORE -> List.of("permits-1-of-3", "permits-2-of-3");
            };
        }
    }

    /** How a client acquires its locks. */
    public enum Surface {
        /** By calls of a registry on a shared client. */
        REGISTRY,
        /** By futures of a registry that has a client of its own. */
        FUTURE,
        /** By annotated methods of a Spring Boot application. */
        ANNOTATION
    }

    /** Returns the same variant with other entries in front of the class path. */
    public Variant with(List<String> first) {
        return new Variant(engine, policy, kind, surface, jdk, servers, first);
    }

    /** Returns the same variant with the locks of another engine. */
    Variant with(String otherEngine) {
        return new Variant(otherEngine, policy, kind, surface, jdk, servers, classes);
    }

    /**
     * Parses what {@link #toString} returns.
     *
     * @param jdks the installed JDKs
     * @param releases the available server releases
     * @throws IllegalArgumentException if the text is no variant
     */
    public static Variant parse(String text, List<Jdk> jdks, List<ServerRelease> releases) {
        Matcher words = WORDS.matcher(text.strip());
        if (!words.matches()) {
            throw new IllegalArgumentException("there is no variant '" + text
                    + "'; one is such as 'zklock strict exclusive registry java 17 zookeeper 3.9.5'");
        }
        return new Variant(
                words.group(1),
                named(words.group(2), List.of(Policy.values())),
                named(words.group(3), List.of(Kind.values())),
                named(words.group(4), List.of(Surface.values())),
                named(words.group(5), jdks),
                named(words.group(6), releases),
                List.of());
    }

    private static <T> T named(String word, List<T> all) {
        return all.stream()
                .filter(one -> one.toString().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no '" + word + "' here, only " + all));
    }

    @Override
    public String toString() {
        return "%s %s %s %s Java %s ZooKeeper %s"
                .formatted(engine, policy, kind, surface, jdk, servers)
                .toLowerCase(Locale.ROOT);
    }
}
