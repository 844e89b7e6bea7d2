package io.github.zklock.docs.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The messages that {@code docs/troubleshooting.md} quotes are those of the sources. */
class MessagesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern BETWEEN = Pattern.compile("…|[()]|(?<=: )|(?<=' )|(?<= acquired )");
    private static final Pattern QUOTED = Pattern.compile("^\\| `([^`]+)`");

    private static String literals = "";

    @BeforeAll
    static void readSources() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String module : List.of("zk-lock-core", "zk-lock-spring", "zk-lock-spring-boot-autoconfigure")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String source = JOINED.matcher(Files.readString(file)).replaceAll("");
                    all.append(LITERAL.matcher(source)
                            .results()
                            .map(literal -> literal.group(1))
                            .collect(Collectors.joining("\n", "\n", "\n")));
                }
            }
        }
        literals = all.toString();
    }

    @Test
    void eachQuotedMessageIsOneOfTheSources() throws IOException {
        List<String> messages = messages();

        assertThat(messages).hasSizeGreaterThan(15);
        assertThat(messages.stream().filter(message -> !isOfTheSources(message)))
                .isEmpty();
    }

    @Test
    void aMessageThatIsNotInTheSourcesIsFound() {
        assertThat(isOfTheSources("Lock '…' was mislaid by …")).isFalse();
        assertThat(isOfTheSources("…")).isFalse();
    }

    private static boolean isOfTheSources(String message) {
        List<String> parts = constantParts(message);
        return !parts.isEmpty() && parts.stream().allMatch(literals::contains);
    }

    private static List<String> messages() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/troubleshooting.md")).stream()
                .flatMap(line -> QUOTED.matcher(line).results())
                .map(quoted -> quoted.group(1))
                .toList();
    }

    /** What stands between the parts that differ, and between the pieces that are put together; as far as it says anything. */
    private static List<String> constantParts(String message) {
        return BETWEEN.splitAsStream(message)
                .map(String::strip)
                .filter(part -> part.length() > 3)
                .toList();
    }
}
