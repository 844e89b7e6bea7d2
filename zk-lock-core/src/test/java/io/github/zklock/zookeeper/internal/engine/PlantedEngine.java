package io.github.zklock.zookeeper.internal.engine;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The engine with one of the bugs that the simulation finds, for tests on real processes: those run its classes in place
 * of the engine's own.
 */
public final class PlantedEngine {

    private PlantedEngine() {}

    /** All bugs, by the names that one gives on a command line. */
    public static List<String> names() {
        return plants().map(Plant::id).toList();
    }

    /**
     * Writes the classes that the bug changes, which have to stand in front of the core's jar on the class path. Each JDK
     * that runs the core runs them.
     *
     * @param name one of {@link #names}, or the same as words
     * @param coreSources the sources of this very version of the core: {@code zk-lock-core/src/main/java}
     * @param into a folder that is empty, or not there yet: classes of another bug would come along with it
     * @throws IllegalArgumentException if there is no such bug
     */
    public static void compile(String name, Path coreSources, Path into) throws IOException {
        Plant plant = named(name);
        Files.createDirectories(into);
        try (Stream<Path> present = Files.list(into)) {
            if (present.findAny().isPresent()) {
                throw new DirectoryNotEmptyException(into.toString());
            }
        }
        for (Map.Entry<String, byte[]> each :
                new PlantCompiler(coreSources).compile(plant).entrySet()) {
            Path file = into.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }

    private static Stream<Plant> plants() {
        return Stream.concat(SimPlants.ALL.stream().map(SimPlant::bug), Stream.of(SimPlants.OF_REAL_PROCESSES));
    }

    static Plant named(String name) {
        return plants().filter(plant -> plant.id().equals(name) || plant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "No bug '" + name + "' can be planted; there are " + String.join(", ", names())));
    }
}
