package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * That {@link PlantedEngine} plants what it is asked for, by three of the bugs. That each of them still fits the sources,
 * compiles and shows, {@link SimulationTest} says.
 */
class PlantedEngineTest {

    private static final Path CORE_SOURCES = Path.of("src/main/java");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"no-owner-check", "any-event-taken-for-a-deletion", "small-wish-passes-a-large-one"})
    void writesClassesThatDifferFromTheEnginesOwn(String name) throws IOException {
        PlantedEngine.compile(name, CORE_SOURCES, folder);

        for (Edit edit : PlantedEngine.named(name).edits()) {
            assertThat(classesOf(edit.type())).anyMatch(this::differsFromOriginal);
        }
    }

    @Test
    void bugIsAlsoKnownByItsWords() throws IOException {
        PlantedEngine.compile("read hold without the writer's token", CORE_SOURCES, folder);

        assertThat(classesOf("LocalQueue")).isNotEmpty();
    }

    @Test
    void namesAreWordsOfACommandLineAndDifferFromEachOther() {
        assertThat(PlantedEngine.names())
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"))
                .contains("no-owner-check", "read-hold-without-the-writers-token");
    }

    @Test
    void unknownBugIsRefusedWithTheNamesOfAll() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlantedEngine.compile("no-such-bug", CORE_SOURCES, folder))
                .withMessageContaining("'no-such-bug'")
                .withMessageContainingAll(PlantedEngine.names().toArray(String[]::new));
    }

    @Test
    void classesOfTwoBugsAreNotMixed() throws IOException {
        PlantedEngine.compile("loss-not-told", CORE_SOURCES, folder);

        assertThatExceptionOfType(DirectoryNotEmptyException.class)
                .isThrownBy(() -> PlantedEngine.compile("no-owner-check", CORE_SOURCES, folder))
                .withMessage(folder.toString());
    }

    private List<String> classesOf(String source) throws IOException {
        String type = "/" + source;
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith(type + ".class") || file.contains(type + "$"))
                    .toList();
        }
    }

    private boolean differsFromOriginal(String file) {
        try (InputStream original = getClass().getClassLoader().getResourceAsStream(file)) {
            byte[] written = Files.readAllBytes(folder.resolve(file));
            return original == null || !Arrays.equals(original.readAllBytes(), written);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
