package io.github.zklock.application;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows {@code docs/tutorial.md}: writes the files that the page shows, builds them, starts two instances with the commands of
 * the page, and compares their output with the page.
 */
class TutorialTest {

    private static final Pattern FILE = Pattern.compile("(?://|#|<!--) (\\S+)(?: -->)?\\n(?s:.*)");
    private static final Pattern REPORT =
            Pattern.compile("(?m)^\\d\\d:\\d\\d:\\d\\d (\\w+ (?:begins|ends) the report)$");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String EMBEDDED = "zk-lock-embedded";

    /** What the application has beside the starter: the embedded server with its libraries. */
    private static final List<String> LIBRARIES = List.of(EMBEDDED, "metrics-core", "snappy-java");

    @TempDir
    private Path folder;

    @AutoClose
    private Project project = new Project(Path.of(""), "", List.of());

    private Page page = new Page("");

    @BeforeEach
    void readPage() throws IOException {
        page = Page.named("docs/tutorial.md");
        project = new Project(folder, "com.example.turns.TurnsApplication", LIBRARIES);
    }

    @Test
    @Tag("processes")
    void theInstancesTakeTurnsAndOutliveOneThatIsKilled() throws Exception {
        writeAndBuild(0);
        String port = "--zk.lock.embedded.port=" + Ports.free();
        String data = "--zk.lock.embedded.data-directory=" + folder.resolve("zookeeper");

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
    @Tag("processes")
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
                .containsExactly("zk-lock-spring-boot-starter", EMBEDDED);
        assertThat(page.text()).contains("mvn -q package");
        assertThat(commands())
                .allMatch(command -> command.startsWith("java -jar target/"
                        + Page.first("</parent>(?s:.*?)<artifactId>(.*?)</", pom) + "-"
                        + Page.first("</parent>(?s:.*?)<version>(.*?)</", pom) + ".jar "));
    }

    /** Writes the files that the page shows; of a file that it shows several times, the version of this number. */
    private void writeAndBuild(int version) throws IOException, InterruptedException {
        for (SourceFile file : files(version).toList()) {
            project.write(file.name(), file.content());
        }
        project.build();
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
        List<String> arguments = new ArrayList<>(List.of(argument));
        arguments.addAll(List.of(more));
        return project.start(arguments);
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
        assertThat(unfinished).as(written()).isLessThan(project.instances().size());
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
            return project.printed();
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
