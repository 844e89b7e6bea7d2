package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages for users name a test, a command or a source for each text with a number or a promise. */
class ClaimsTest {

    private static Claims claims;

    @BeforeAll
    static void readTheRepository() throws IOException {
        claims = new Claims(TestNames.ofTheRepository(), Build.ofTheRepository());
    }

    @Test
    void eachPageForUsersNamesWhatShowsItsClaims() {
        List<Document> pages = Document.all().stream()
                .filter(page -> page.path().matches("README\\.md|docs/(?!decisions/|internals/).*"))
                .toList();

        assertThat(pages.stream().flatMap(page -> claims.problems(page).stream()))
                .isEmpty();
        assertThat(pages.stream().mapToLong(Claims::names).sum()).isGreaterThan(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The method never runs without the lock.",
                "A wait takes at\nmost the given time.",
                "T is 20 s.",
                "| T | 20 s |",
                "- one\n- A seat takes 60 bytes."
            })
    void aNumberOrAPromiseNeedsAMark(String text) {
        assertThat(problems("# Title\n\n" + text + "\n\n## Next\n\n<!-- no promise: example -->\n"))
                .singleElement()
                .asString()
                .matches("hand-made\\.md:3: '.*' needs a mark that names what shows it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Java 17 and Spring Boot 4.1 with ZooKeeper 3.9.5",
                "`at most 20`",
                "[a link](docs/decisions/0020.md)",
                "```\nat most 20\n```",
                "1. a step"
            })
    void versionsCodeAndStepsNeedNone(String text) {
        assertThat(problems(text + "\n")).isEmpty();
    }

    @Test
    void aMarkCoversTheTextBackToTheOneBefore() {
        String mark = "\n\n<!-- shown by: ClaimsTest -->\n\n";

        assertThat(problems("T is 20 s.\n\nIt never ends." + mark + "T is 20 s." + mark))
                .isEmpty();
        assertThat(problems("T is 20 s." + mark + "It never ends.\n")).hasSize(1);
    }

    @Test
    void aMarkOnlyNamesWhatExists() {
        assertThat(problems("""
                <!-- shown by: ClaimsTest; ClaimsTest.aNumberOrAPromiseNeedsAMark;
                verification/faults/run --scenario M26; mvn -Prelease verify -->
                <!-- stated by: ZooKeeper 3.9.5, Leader.java -->
                """)).isEmpty();
        assertThat(problems("""
                <!-- shown by: NoTest; ClaimsTest.aTestThatIsMissing; verification/faults/ran; mvn -Pnone verify -->
                """))
                .containsExactly(
                        "hand-made.md:1: there is no test NoTest",
                        "hand-made.md:1: there is no test ClaimsTest.aTestThatIsMissing",
                        "hand-made.md:1: the build has no file verification/faults/ran",
                        "hand-made.md:1: the build has no profile none");
    }

    private static List<String> problems(String text) {
        return claims.problems(new Document("hand-made.md", text));
    }
}
