package io.github.zklock.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The measured releases, by the names of their jar files. */
final class Versions {

    private record Library(String name, String artifact) {}

    private static final List<Library> LIBRARIES = List.of(
            new Library("ZooKeeper", "zookeeper"),
            new Library("Curator", "curator-recipes"),
            new Library("Spring Integration", "spring-integration-zookeeper"),
            new Library("ShedLock", "shedlock-core"),
            new Library("Redisson", "redisson"),
            new Library("Spring Boot", "spring-boot"));

    private Versions() {}

    static String describe() {
        return describe(System.getProperty("java.class.path"));
    }

    static String describe(String classPath) {
        return LIBRARIES.stream()
                .map(library -> library.name() + " " + version(classPath, library.artifact()))
                .collect(joining(", "));
    }

    private static String version(String classPath, String artifact) {
        Pattern file = Pattern.compile("[/\\\\]" + artifact + "-(\\d[^/\\\\" + File.pathSeparatorChar + "]*)\\.jar");
        Matcher found = file.matcher(classPath);
        if (!found.find()) {
            throw new IllegalStateException("No " + artifact + " in the class path " + classPath);
        }
        return found.group(1);
    }
}
