package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents, the comments and the messages use the words of the project. */
@Tag("wording")
class WordingTest {

    private static final List<String> MODULES = List.of(
            "zk-lock-core",
            "zk-lock-spring",
            "zk-lock-spring-boot-autoconfigure",
            "zk-lock-embedded",
            "zk-lock-console",
            "zk-lock-cli",
            "zk-lock-spring-boot-starter-test",
            "sample-app");

    private static final String SOURCE = """
            /**
             * Returns the lock, see {@link Lock#close() what closes it}.
             *
             * <p>Whoever {@code refuses} waits.
             * <pre>{@code
             * nobody();
             * }</pre>
             *
             * @param nobody a name
             * @return the one that is free
             */
            class Whoever {
                // the first line
                // is of those who wait
                String message = "Lock '" + nobody + "' was refused"
                        + " by a server";
                String column = "whoever";
            }
            """;

    @Test
    void documentsUseTheWordsOfTheProject() {
        List<Passage> passages = documents();

        assertThat(Wording.problems(passages)).isEmpty();
        assertThat(passages).hasSizeGreaterThan(1_000);
    }

    @Test
    void commentsAndMessagesUseTheWordsOfTheProject() throws IOException {
        List<Passage> passages = sources();

        assertThat(Wording.problems(passages)).isEmpty();
        assertThat(passages).hasSizeGreaterThan(2_000);
    }

    @Test
    void everyExemptionIsNeeded() throws IOException {
        List<Passage> passages = new ArrayList<>(documents());
        passages.addAll(sources());

        assertThat(Wording.unusedExemptions(passages)).isEmpty();
    }

    /** Sentences of former versions of the documents and comments. */
    @ParameterizedTest
    @CsvFileSource(resources = "former-sentences.csv", delimiter = '|')
    void aFormerSentenceIsFound(String words, String sentence) {
        List<Passage> passages = Passages.ofMarkdown(new Document("former.md", "# Title\n\n" + sentence + "\n"));

        assertThat(Wording.problems(passages))
                .allSatisfy(problem -> assertThat(problem).startsWith("former.md:3: "))
                .anySatisfy(problem -> assertThat(problem.toLowerCase(Locale.ROOT))
                        .matches(".*?: instead of '\\Q" + words + "\\E\\b.*"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The server releases the lock, and the next waiter acquires it.",
                "## Who holds this lock?",
                "The operating system refuses the connection.",
                "`whoever.refuses()` and [a link](docs/nobody.md)",
                "| the hand | over it |",
                "- by hand\n- over all",
                "```\nwhoever\n```",
                "<!-- whoever -->",
                "https://example.com/whoever"
            })
    void plainEnglishIsNoProblem(String text) {
        assertThat(problems(text)).isEmpty();
    }

    @Test
    void aMessageNamesFileLineWordsAndRemedy() {
        assertThat(problems("The first line,\nand those\nwho wait.\n"))
                .containsExactly(
                        "hand-made.md:3: instead of 'who': name the caller, holder, waiter, client, server, process or thread",
                        "hand-made.md:2: instead of 'those who': repeat the noun");
    }

    @Test
    void javadocCommentsAndMessagesAreRead() {
        assertThat(Wording.problems(Passages.ofJava("Whoever.java", SOURCE)))
                .containsExactly(
                        "Whoever.java:4: instead of 'Whoever': name the caller, holder, waiter, client, server, process or thread",
                        "Whoever.java:10: instead of 'the one that': repeat the noun",
                        "Whoever.java:14: instead of 'who': name the caller, holder, waiter, client, server, process or thread",
                        "Whoever.java:14: instead of 'those who': repeat the noun",
                        "Whoever.java:15: instead of 'refused': reject");
    }

    private static List<String> problems(String text) {
        return Wording.problems(Passages.ofMarkdown(new Document("hand-made.md", text)));
    }

    /** Decisions are records of their day, in the words of their day. */
    private static List<Passage> documents() {
        return Document.all().stream()
                .filter(document -> document.path().matches("README\\.md|CONTRIBUTING\\.md|docs/(?!decisions/).*"))
                .flatMap(document -> Passages.ofMarkdown(document).stream())
                .toList();
    }

    private static List<Passage> sources() throws IOException {
        List<Passage> passages = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Document.ROOT.resolve(module).resolve("src/main"))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    String path = Document.ROOT.relativize(file).toString().replace('\\', '/');
                    passages.addAll(Passages.ofJava(path, Files.readString(file)));
                }
            }
        }
        return passages;
    }
}
