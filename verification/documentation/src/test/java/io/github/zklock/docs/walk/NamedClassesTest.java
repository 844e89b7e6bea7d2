package io.github.zklock.docs.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.docs.check.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The classes and methods that {@code docs/internals/engine.md} names exist in the sources. */
class NamedClassesTest {

    private static final Pattern NAME = Pattern.compile("`@?([A-Z][a-z]\\w*)(?:\\.([a-z]\\w*))?(?:\\([^`]*\\))?`");
    private static final Map<String, String> SOURCES = new HashMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        for (String module : List.of("zk-lock-core", "zk-lock-spring", "zk-lock-spring-boot-autoconfigure")) {
            Path main = Document.ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files =
                    Files.find(main, 20, (file, is) -> file.toString().endsWith(".java"))) {
                for (Path file : files.toList()) {
                    SOURCES.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }
    }

    @Test
    void everyNameIsThatOfAClassAndItsMethod() {
        List<MatchResult> names =
                names(Document.read("docs/internals/engine.md").text());

        assertThat(names).hasSizeGreaterThan(25);
        assertThat(names.stream().filter(name -> !exists(name)).map(MatchResult::group))
                .isEmpty();
    }

    @Test
    void aNameOfNothingIsFound() {
        assertThat(names("`Seat`, `Handle.close()`, `Handle.open`, `Seats`, `@DistributedLock`, `PT10S`"))
                .filteredOn(name -> !exists(name))
                .extracting(MatchResult::group)
                .containsExactly("`Handle.open`", "`Seats`");
    }

    private static List<MatchResult> names(String text) {
        return NAME.matcher(text).results().toList();
    }

    private static boolean exists(MatchResult name) {
        String source = SOURCES.get(name.group(1));
        return source != null
                && (name.group(2) == null
                        || Pattern.compile("\\b" + name.group(2) + "\\s*\\(")
                                .matcher(source)
                                .find());
    }
}
