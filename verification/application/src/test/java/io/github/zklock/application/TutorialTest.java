package io.github.zklock.application;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows {@code docs/tutorial.md}: writes the files that the page shows, compiles them, starts two instances with the
 * commands of the page, and compares their output with the page. The compiler replaces Maven, and the artifacts of the
 * build replace installed ones, unless {@link Maven#INSTALLED} is set.
 */
class TutorialTest {

    private static final boolean INSTALLED = Boolean.getBoolean(Maven.INSTALLED);
    private static final Pattern FILE = Pattern.compile("(?://|#|<!--) (\\S+)(?: -->)?\\n(?s:.*)");
    private static final Pattern REPORT =
            Pattern.compile("(?m)^\\d\\d:\\d\\d:\\d\\d (\\w+ (?:begins|ends) the report)$");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    private Path project;

    private final List<Process> instances = new ArrayList<>();
    private Page page = new Page("");
    private Path output = Path.of("");

    @BeforeEach
    void readPage() throws IOException {
        page = Page.named("docs/tutorial.md");
        output = project.resolve("output.log");
    }

    @AfterEach
    void stopInstances() {
        instances.forEach(Process::destroyForcibly);
        instances.forEach(instance -> instance.onExit().join());
    }

    @Test
    void theInstancesTakeTurnsAndOutliveOneThatIsKilled() throws Exception {
        writeAndBuild(0);
        String port = "--zk.lock.embedded.port=" + Ports.free();
        String data = "--zk.lock.embedded.data-directory=" + project.resolve("zookeeper");

        start("first", port, data);
        awaitReports(shown(0));
        Process second = start("second", port, data);
        awaitReports(shown(1));
        killWhileItReports("second", second, port, data);
        awaitReports(shown(2));

        assertThat(shown(0)).allMatch(line -> line.startsWith("first "));
        assertThatNoReportsOverlap();
    }

    @Test
    void eitherInstanceMayBeKilledIfTheServerIsAProcessOfItsOwn() throws Exception {
        try (LocalZooKeeper server = new LocalZooKeeper()) {
            writeAndBuild(1);
            String address = "--zk.lock.connect-string=" + server.connectString();

            Process first = start("first", address);
            start("second", address);
            awaitReports(List.of("second begins the report", "second ends the report", "first begins the report"));
            killWhileItReports("first", first, address);
            awaitReports(List.of("first begins the report", "second begins the report", "second ends the report"));

            assertThatNoReportsOverlap();
        }
    }

    @Test
    void theProjectHasTheDependenciesOfThisTest() throws IOException {
        String pom = files(0).filter(file -> file.name().equals("pom.xml"))
                .findFirst()
                .orElseThrow()
                .content();
        String parent = Files.readString(Path.of("..", "..", "pom.xml"), UTF_8);

        assertThat(pom)
                .contains("<version>" + Page.first("<spring-boot.version>(.*?)</", parent) + "</version>")
                .contains("<version>" + Page.first("<version>(.*?)</", parent) + "</version>")
                .contains("<artifactId>zk-lock-bom</artifactId>");
        assertThat(artifacts(pom.substring(pom.indexOf("</dependencyManagement>"), pom.indexOf("<build>"))))
                .containsExactly("zk-lock-spring-boot-starter", "metrics-core", "snappy-java");
        assertThat(page.text()).contains("mvn -q package");
        assertThat(commands())
                .allMatch(command -> command.startsWith("java -jar target/"
                        + Page.first("</parent>(?s:.*?)<artifactId>(.*?)</", pom) + "-"
                        + Page.first("</parent>(?s:.*?)<version>(.*?)</", pom) + ".jar "));
    }

    /** Writes the files that the page shows; of a file that it shows several times, the version of this number. */
    private void writeAndBuild(int version) throws IOException, InterruptedException {
        List<File> sources = new ArrayList<>();
        for (SourceFile file : files(version).toList()) {
            Path path = project.resolve(file.name());
            Files.createDirectories(requireNonNull(path.getParent()));
            Files.writeString(path, file.content(), UTF_8);
            if (file.name().endsWith(".java")) {
                sources.add(path.toFile());
            }
        }
        assertThat(sources).hasSize(2);
        if (INSTALLED) {
            Maven.build(project);
        } else {
            compile(sources);
        }
    }

    private void compile(List<File> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-parameters", "-proc:none", "-cp", classPath(), "-d", classes().toString());
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
            boolean compiled = compiler.getTask(
                            null, manager, null, options, null, manager.getJavaFileObjectsFromFiles(sources))
                    .call();
            assertThat(compiled).as("the sources of the page compile").isTrue();
        }
    }

    private record SourceFile(String name, String content) {}

    private Stream<SourceFile> files(int version) {
        List<SourceFile> all = page.blocks("java|xml|yaml")
                .map(content -> new SourceFile(Page.first(FILE.pattern(), content), content))
                .toList();
        return all.stream().map(SourceFile::name).distinct().map(name -> {
            List<SourceFile> versions =
                    all.stream().filter(file -> file.name().equals(name)).toList();
            return versions.get(Math.min(version, versions.size() - 1));
        });
    }

    private List<String> commands() {
        return page.blocks("sh")
                .map(String::strip)
                .filter(command -> command.startsWith("java "))
                .toList();
    }

    /** Returns the lines of an output that the page shows, without their times. */
    private List<String> shown(int block) {
        return reports(page.blocks("text").toList().get(block));
    }

    private Process start(String instance, String... more) throws IOException {
        String argument = "--zk.lock.instance-id=" + instance;
        assertThat(commands()).anyMatch(command -> command.endsWith(".jar " + argument));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        if (INSTALLED) {
            command.addAll(List.of("-jar", "target/turns-1.0.jar"));
        } else {
            String classPath = String.join(
                    File.pathSeparator,
                    classes().toString(),
                    project.resolve("src/main/resources").toString(),
                    classPath());
            command.addAll(List.of("-cp", classPath, "com.example.turns.TurnsApplication"));
        }
        command.add(argument);
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        instances.add(process);
        return process;
    }

    /** Starts the instance again if its report ended before the kill. */
    private void killWhileItReports(String name, Process instance, String... more) throws IOException {
        Process next = instance;
        String begins = name + " begins the report";
        while (true) {
            await().atMost(TIMEOUT).until(() -> last().equals(begins));
            next.destroyForcibly().onExit().join();
            if (last().equals(begins)) {
                return;
            }
            next = start(name, more);
        }
    }

    private Path classes() {
        return project.resolve("target").resolve("classes");
    }

    /** Returns the class path of the starter, and the two libraries of the embedded server. */
    private static String classPath() throws IOException {
        Stream<String> server = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(jar -> jar.matches(".*(metrics-core|snappy-java)-[\\d.]+\\.jar"));
        String starter =
                Files.readString(Path.of("target", "class-path.txt"), UTF_8).strip();
        return String.join(
                File.pathSeparator, Stream.concat(Stream.of(starter), server).toList());
    }

    private void awaitReports(List<String> expected) {
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(reports(written())).as(written()).containsSequence(expected));
    }

    /** Each report ends before the next one begins, unless its instance was killed. One instance was never killed. */
    private void assertThatNoReportsOverlap() {
        assumeThat(written()).as("no instance stalled for its session timeout").doesNotContain("LockLostException");
        List<String> reports = reports(written());
        int unfinished = 0;
        for (int i = 1; i < reports.size(); i++) {
            boolean begins = reports.get(i).contains("begins");
            if (begins && reports.get(i - 1).contains("begins")) {
                unfinished++;
            } else if (!begins) {
                assertThat(reports.get(i - 1)).isEqualTo(reports.get(i).replace("ends", "begins"));
            }
        }
        assertThat(unfinished).as(written()).isLessThan(instances.size());
    }

    private String last() {
        List<String> reports = reports(written());
        return reports.isEmpty() ? "" : reports.get(reports.size() - 1);
    }

    private static List<String> reports(String text) {
        return REPORT.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private String written() {
        try {
            return Files.exists(output) ? Files.readString(output, UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> artifacts(String pom) {
        return Pattern.compile("<artifactId>(.*?)</")
                .matcher(pom)
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
