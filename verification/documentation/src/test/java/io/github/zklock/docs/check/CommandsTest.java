package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands and dependencies in the documents name what the build has. */
class CommandsTest {

    private final Build handMade = new Build(
            Set.of("zk-lock-core"),
            Set.of("boot-4.0"),
            Set.of("h2"),
            Set.of("HerdTest"),
            Set.of("sample-demo/demo", "faults/run"),
            Set.of("M26"));

    @Test
    void everyCommandAndDependencyNamesWhatTheBuildHas() {
        Build build = Build.ofTheRepository();

        assertThat(Document.all().stream().flatMap(document -> build.problems(document).stream()))
                .isEmpty();
        assertThat(build.modules()).contains("zk-lock-core", "verification/documentation");
        assertThat(build.profiles()).contains("boot-4.0", "release");
    }

    @ParameterizedTest
    @CsvSource({
        "mvn verify -Pboot-4.1, profile boot-4.1",
        "mvn -pl zk-lock-cor verify, module zk-lock-cor",
        "'mvn -pl zk-lock-core,zk-lock verify', module zk-lock",
        "mvn -pl zk-lock-core test -Dtest=HeardTest, class HeardTest",
        "sample-demo/dem off, file sample-demo/dem",
        "'faults/run --scenario M26,M62 --seed 1', scenario M62"
    })
    void aCommandThatNamesNothingIsFound(String command, String missing) {
        assertThat(handMade.problems(sh(command)))
                .singleElement()
                .asString()
                .isEqualTo("hand-made.md:2: the build has no " + missing);
    }

    @Test
    void aCommandInTheTextIsReadAsWell() {
        assertThat(handMade.problems(new Document("hand-made.md", "Run `mvn -Pnone verify`.\n")))
                .singleElement()
                .asString()
                .contains("profile none");
    }

    @Test
    void aDependencyOnNothingIsFound() {
        Document document = new Document(
                "hand-made.md",
                "```xml\n<artifactId>h2</artifactId>\n<dependency><artifactId>h3</artifactId></dependency>\n```\n");

        assertThat(handMade.problems(document)).containsExactly("hand-made.md:3: the build has no artifact h3");
    }

    @Test
    void aWholeProjectMayHaveAnyNameAndParent() {
        Document document = new Document("hand-made.md", """
                ```xml
                <project>
                  <parent>
                    <artifactId>starter-parent</artifactId>
                  </parent>
                  <artifactId>turns</artifactId>
                  <dependencies>
                    <dependency>
                      <artifactId>h2</artifactId>
                    </dependency>
                    <dependency><artifactId>h3</artifactId></dependency>
                  </dependencies>
                </project>
                ```
                """);

        assertThat(handMade.problems(document)).containsExactly("hand-made.md:11: the build has no artifact h3");
    }

    @Test
    void whatTheBuildHasIsNoProblem() {
        assertThat(handMade.problems(sh("mvn -pl zk-lock-core -am verify -Pboot-4.0 -Dtest=HerdTest # all")))
                .isEmpty();
        assertThat(handMade.problems(sh("sample-demo/demo off"))).isEmpty();
        assertThat(handMade.problems(sh("faults/run --scenario M26 --seed 1"))).isEmpty();
        assertThat(handMade.problems(sh("curl -i localhost:8080/actuator"))).isEmpty();
    }

    private static Document sh(String command) {
        return new Document("hand-made.md", "```sh\n" + command + "\n```\n");
    }
}
