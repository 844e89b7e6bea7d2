package io.github.zklock.faults.cluster;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.apache.commons.io.function.Uncheck;

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

    /** Returns a factory of virtual threads in this process; empty before Java 21. */
    public static Optional<ThreadFactory> virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return Optional.of((ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder));
        } catch (NoSuchMethodException olderJava) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot make virtual threads", e);
        }
    }

    Path launcher() {
        return home.resolve("bin").resolve("java");
    }

    private static List<Path> homes() {
        List<Path> homes = new ArrayList<>(ServerRelease.contents(INSTALLED));
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
        Uncheck.run(() -> properties.load(new StringReader(Files.readString(release))));
        String version = properties.getProperty("JAVA_VERSION", "\"0\"").replace("\"", "");
        return Optional.of(new Jdk(Runtime.Version.parse(version).feature(), home));
    }

    @Override
    public String toString() {
        return Integer.toString(feature);
    }
}
