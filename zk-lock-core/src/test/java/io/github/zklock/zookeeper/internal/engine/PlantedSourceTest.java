package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tool that plants bugs: an edit fits its source, however that is formatted and whatever its neighbours are called. */
class PlantedSourceTest {

    private static final PlantCompiler COMPILER = new PlantCompiler(Path.of("src", "main", "java"));

    private static final PlantedSource SOURCE = new PlantedSource("Door.java", """
            class Door {
                private int opened = 1;

                void open() { // not twice: if (locked) { return; }
                    String why = "if (locked) { return; }";
                    if (locked) {
                        return;
                    }
                    swing(why);
                }

                void open(String key) {
                    unlock(key);
                }

                class Lock {
                    void open() {
                        locked = false;
                    }
                }
            }
            """);

    static Stream<Plant> plants() {
        return Stream.of(
                        SimPlants.ALL.stream().map(SimPlant::bug),
                        Stream.of(SimPlants.OF_REAL_PROCESSES),
                        Stream.of(PlantedRoomsTest.bugs(), PlantedWiresTest.bugs(), PlantedQueuesTest.bugs())
                                .flatMap(List::stream)
                                .map(RoomPlant::bug))
                .flatMap(each -> each);
    }

    @Test
    void everyEditFitsItsSourceAlsoInAnotherFormatAndWithRenamedNeighbours() throws Exception {
        Map<String, List<Edit>> byType =
                plants().flatMap(plant -> plant.edits().stream()).collect(Collectors.groupingBy(Edit::type));
        for (Map.Entry<String, List<Edit>> each : byType.entrySet()) {
            PlantedSource source = COMPILER.source(each.getKey());
            Set<String> kept = each.getValue().stream()
                    .flatMap(edit -> Stream.of(edit.member(), edit.code()))
                    .flatMap(text -> PlantedSource.words(text).stream())
                    .collect(Collectors.toSet());
            PlantedSource moved = moved(source, kept);

            for (Edit edit : each.getValue()) {
                String planted = moved.with(edit).getCharContent(true);

                String expected = moved(source.with(edit), kept).getCharContent(true);
                assertThat(renamed(planted, kept)).as(edit.member()).isEqualTo(expected);
            }
        }
    }

    @Test
    void everyPlantFitsItsSources() throws Exception {
        for (Plant plant : plants().toList()) {
            assertThat(COMPILER.planted(plant)).as(plant.name()).isNotEmpty();
        }
    }

    @Test
    void codeIsReplacedWhateverItsLineBreaksAre() {
        PlantedSource planted = SOURCE.with(new Edit("Door.open", "if (locked) { return; }", "lock();"));

        assertThat(planted.getCharContent(true))
                .contains(
                        "\"if (locked) { return; }\";\n        lock();\n        swing(why);",
                        "// not twice: if (locked)");
    }

    @Test
    void codeIsAddedAtTheBeginOfAMethod() {
        PlantedSource planted = SOURCE.with(Edit.begin("Door.Lock.open", "knock();"));

        assertThat(PlantedSource.words(planted.getCharContent(true)))
                .containsSequence("open", "(", ")", "{", "knock", "(", ")", ";", "locked", "=", "false");
    }

    @Test
    void fieldIsReplaced() {
        PlantedSource planted = SOURCE.with(new Edit("Door.opened", "1", "2"));

        assertThat(planted.getCharContent(true)).contains("private int opened = 2;");
    }

    @Test
    void overloadedMethodsAreToldApartByTheirCode() {
        PlantedSource planted = SOURCE.with(Edit.delete("Door.open", "unlock(key);"));

        assertThat(planted.getCharContent(true)).doesNotContain("unlock").contains("swing(why);");
    }

    @Test
    void codeThatIsNotThereIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SOURCE.with(Edit.delete("Door.Lock.open", "swing(why);")))
                .withMessage("'swing(why);' occurs 0 times in Door.Lock.open, not once: bring the edit up to date");
    }

    @Test
    void codeThatOccursTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SOURCE.with(Edit.delete("Door.open", "open")))
                .withMessageContaining("occurs 2 times in Door.open");
    }

    @Test
    void beginOfOverloadedMethodsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SOURCE.with(Edit.begin("Door.open", "knock();")))
                .withMessageContaining("occurs 2 times in Door.open");
    }

    @Test
    void missingMemberIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SOURCE.with(Edit.delete("Door.close", "swing(why);")))
                .withMessageContaining("occurs 0 times in Door.close");
    }

    /** Returns the source with each word on a line of its own, without comments, and with other names. */
    private static PlantedSource moved(PlantedSource source, Set<String> kept) {
        return new PlantedSource("Moved.java", renamed(source.getCharContent(true), kept));
    }

    private static String renamed(String code, Set<String> kept) {
        List<String> words = PlantedSource.words(code);
        String moved = words.stream()
                .map(word -> isName(word) && !kept.contains(word) ? word + "X" : word)
                .collect(Collectors.joining("\n"));
        return moved.replace(">\n>", ">>");
    }

    /** Returns whether the word is likely to be the name of a method or a variable: it has an upper-case letter inside. */
    private static boolean isName(String word) {
        return word.matches("[a-z]+[A-Z]\\w*[^X]");
    }
}
