package io.github.zklock.faults.stage;

import io.github.zklock.faults.rig.Java;
import io.github.zklock.faults.rig.Release;
import java.util.List;
import java.util.Locale;

/**
 * What a scenario is played with.
 *
 * @param engine whose locks: {@code zklock}, or those of a peer
 * @param java what the clients run on
 * @param servers what the servers are
 * @param classes what stands before everything else in the class path of the clients, such as a planted bug
 */
public record Variant(
        String engine, Policy policy, Kind kind, Surface surface, Java java, Release servers, List<String> classes) {

    /** How turns go round within a process. */
    public enum Policy {
        BOUNDED,
        STRICT,
        LINGER
    }

    /** What kind of lock the scenario is about, and what those who play it want. */
    public enum Kind {
        EXCLUSIVE,
        READ_WRITE,
        SEMAPHORE;

        /** What nobody else can have anything beside. */
        public String alone() {
            return switch (this) {
                case EXCLUSIVE -> "exclusive";
                case READ_WRITE -> "write";
                case SEMAPHORE -> "permits-3-of-3";
            };
        }

        /** What others want meanwhile; each in some threads. */
        public List<String> common() {
            return switch (this) {
                case EXCLUSIVE -> List.of("exclusive");
                case READ_WRITE -> List.of("read", "write");
                case SEMAPHORE -> List.of("permits-1-of-3", "permits-2-of-3");
            };
        }
    }

    /** How a client takes its locks. */
    public enum Surface {
        REGISTRY,
        ANNOTATION
    }

    /** The same with the locks of another engine. */
    Variant with(String otherEngine) {
        return new Variant(otherEngine, policy, kind, surface, java, servers, classes);
    }

    @Override
    public String toString() {
        return "%s %s %s %s Java %s ZooKeeper %s"
                .formatted(engine, policy, kind, surface, java, servers)
                .toLowerCase(Locale.ROOT);
    }
}
