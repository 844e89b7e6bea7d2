package io.github.zklock.faults.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.Version;

/**
 * A release of ZooKeeper's server.
 *
 * @param jars entries in front of the class path of such a server
 */
public record ServerRelease(String version, List<String> jars) {

    // the build creates a subfolder for each version
    private static final Path FOLDER = Path.of("target", "servers");

    /** Returns the release with which the harness is compiled. */
    public static ServerRelease own() {
        return new ServerRelease(Version.getVersion(), List.of());
    }

    /** Returns all available releases: our own, then the others from the newest on. */
    public static List<ServerRelease> all() {
        Stream<ServerRelease> others = contents(FOLDER).stream()
                .map(folder -> new ServerRelease(folder.getFileName().toString(), jarsIn(folder)))
                .sorted(Comparator.comparing(ServerRelease::version).reversed());
        return Stream.concat(Stream.of(own()), others).toList();
    }

    private static List<String> jarsIn(Path folder) {
        return contents(folder).stream()
                .map(jar -> jar.toAbsolutePath().toString())
                .sorted()
                .toList();
    }

    /** Returns what is in a folder; nothing if there is no such folder. */
    static List<Path> contents(Path folder) {
        File[] contents = folder.toFile().listFiles();
        return contents == null
                ? List.of()
                : Stream.of(contents).map(File::toPath).toList();
    }

    @Override
    public String toString() {
        return version;
    }
}
