package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;

/** Lets the simulation look for one bug in the engine that has it. */
final class SimPlantRunner {

    private static final PlantCompiler COMPILER = new PlantCompiler(Path.of("src/main/java"));

    private SimPlantRunner() {}

    /** What the simulation says of the engine with this bug: see {@link SimHunt#hunt}. */
    static String hunt(Plant plant, long seed, long schedules) {
        try {
            ClassLoader loader = new PlantedLoader(COMPILER.compile(plant));
            Method hunt = loader.loadClass(SimHunt.class.getName())
                    .getDeclaredMethod("hunt", String.class, long.class, long.class, String.class);
            hunt.setAccessible(true);
            return (String) hunt.invoke(null, plant.kinds().name(), seed, schedules, plant.symptom());
        } catch (IOException | ReflectiveOperationException failure) {
            throw new IllegalStateException("Cannot plant '" + plant.name() + "'", failure);
        }
    }
}
