package io.github.zklock.application;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * An application in a folder, made of the files that a page shows, and its running instances. The compiler replaces Maven, and
 * the artifacts of the build replace installed ones, unless {@link #INSTALLED} is set.
 */
final class Project implements AutoCloseable {

    /** The system property that asks for builds by Maven. Install zk-lock first: {@code mvn -q -DskipTests install}. */
    private static final String INSTALLED = "zklock.installed";

    private final Path folder;
    private final String mainClass;
    private final List<String> furtherLibraries;
    private final List<Process> instances = new ArrayList<>();

    /** @param furtherLibraries the artifacts that the application has beside the starter */
    Project(Path folder, String mainClass, List<String> furtherLibraries) {
        this.folder = folder;
        this.mainClass = mainClass;
        this.furtherLibraries = furtherLibraries;
    }

    void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(requireNonNull(file.getParent()));
        Files.writeString(file, content, UTF_8);
    }

    void build() throws IOException, InterruptedException {
        if (isBuiltByMaven()) {
            Path log = folder.resolve("build.log");
            Process maven = new ProcessBuilder("mvn", "-q", "-B", "package")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();

            int exit = maven.waitFor();
            assertThat(exit).as(Files.readString(log, UTF_8)).isZero();
        } else {
            compile();
        }
    }

    private void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-parameters", "-proc:none", "-cp", libraries(), "-d", classes().toString());
        try (Stream<Path> files = Files.walk(folder.resolve("src/main/java"));
                StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            boolean compiled = compiler.getTask(
                            null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as("the sources of the page compile").isTrue();
        }
    }

    Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        if (isBuiltByMaven()) {
            command.addAll(List.of("-jar", jar().toString()));
        } else {
            String classPath = String.join(
                    File.pathSeparator,
                    classes().toString(),
                    folder.resolve("src/main/resources").toString(),
                    libraries());
            command.addAll(List.of("-cp", classPath, mainClass));
        }
        command.addAll(arguments);
        Process instance = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()))
                .start();
        instances.add(instance);
        return instance;
    }

    List<Process> instances() {
        return instances;
    }

    /** Returns what all instances have printed. */
    String printed() throws IOException {
        return Files.exists(output()) ? Files.readString(output(), UTF_8) : "";
    }

    @Override
    public void close() {
        instances.forEach(Process::destroyForcibly);
        instances.forEach(instance -> instance.onExit().join());
    }

    private static boolean isBuiltByMaven() {
        return Boolean.getBoolean(INSTALLED);
    }

    /** Returns the class path of the starter, and the further libraries. */
    private String libraries() throws IOException {
        Stream<String> further = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> furtherLibraries.stream().anyMatch(library -> isOf(library, Path.of(entry))));
        String starter =
                Files.readString(Path.of("target", "class-path.txt"), UTF_8).strip();
        return String.join(
                File.pathSeparator, Stream.concat(Stream.of(starter), further).toList());
    }

    /** Returns whether this is the jar of the library, or the classes of a module that has not been packed yet. */
    private static boolean isOf(String library, Path entry) {
        return entry.getFileName().toString().startsWith(library + "-")
                || entry.endsWith(Path.of(library, "target", "classes"));
    }

    private Path jar() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("target"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Path classes() {
        return folder.resolve("target").resolve("classes");
    }

    private Path output() {
        return folder.resolve("output.log");
    }
}
