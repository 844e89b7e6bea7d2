package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.Version;

/**
 * A release of ZooKeeper's server.
 *
 * @param jars what stands before everything else in the class path of a server of this release
 */
public record ServerRelease(String version, List<String> jars) {

    // the build puts each into a folder that is named after its version
    private static final Path FOLDER = Path.of("target", "servers");

    /** The one that the harness is compiled against. */
    public static ServerRelease own() {
        return new ServerRelease(Version.getVersion(), List.of());
    }

    /** All that there are, the own one first, then the newest. */
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

    private static List<Path> contents(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> contents = Files.list(folder)) {
            return contents.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return version;
    }
}
