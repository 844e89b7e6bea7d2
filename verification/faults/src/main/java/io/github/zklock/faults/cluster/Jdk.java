package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** An installed JDK. */
public record Jdk(int feature, Path home) {

    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final String VARIABLE = "JAVA_HOME_";

    /** Returns the JDK of this process. */
    public static Jdk own() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    /**
     * Returns the JDK of this process and, if a later one is installed, the latest one. The build looks in the same
     * places.
     */
    public static List<Jdk> all() {
        Jdk own = own();
        Optional<Jdk> latest = homes().stream()
                .flatMap(home -> at(home).stream())
                .filter(jdk -> jdk.feature() > own.feature())
                .max(Comparator.comparingInt(Jdk::feature));
        return Stream.concat(Stream.of(own), latest.stream()).toList();
    }

    Path launcher() {
        return home.resolve("bin").resolve("java");
    }

    private static List<Path> homes() {
        List<Path> homes = new ArrayList<>();
        if (Files.isDirectory(INSTALLED)) {
            try (DirectoryStream<Path> installed = Files.newDirectoryStream(INSTALLED)) {
                installed.forEach(homes::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        System.getenv().forEach((variable, value) -> {
            if (variable.startsWith(VARIABLE)) {
                homes.add(Path.of(value));
            }
        });
        return homes;
    }

    /** Returns the JDK in a folder, by its release file; empty if there is none. */
    private static Optional<Jdk> at(Path home) {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release)
                || !Files.isExecutable(home.resolve("bin").resolve("java"))) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = properties.getProperty("JAVA_VERSION", "\"0\"").replace("\"", "");
        return Optional.of(new Jdk(Runtime.Version.parse(version).feature(), home));
    }

    @Override
    public String toString() {
        return Integer.toString(feature);
    }
}
