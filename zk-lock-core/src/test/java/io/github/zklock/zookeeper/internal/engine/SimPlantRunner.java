package io.github.zklock.zookeeper.internal.engine;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Lets the simulation look for planted bugs, several at a time. */
final class SimPlantRunner {

    private static final PlantCompiler COMPILER = new PlantCompiler(Path.of("src/main/java"));
    private static final long FIRST_SEED = 1;
    private static final long SCHEDULES = 50_000;

    private SimPlantRunner() {}

    /**
     * Replays the schedule that is known to show each bug, and searches for another one if it shows the bug no longer.
     *
     * @return a line for each bug, in the order of the list
     */
    static List<String> replay(List<SimPlant> plants) throws InterruptedException {
        return forEach(plants, plant -> {
            String known = hunt(plant, plant.seed(), 1);
            return isFound(known)
                    ? known
                    : hunt(plant, FIRST_SEED, SCHEDULES) + " (seed " + plant.seed()
                            + " does not show it: store this one)";
        });
    }

    /** Searches for each bug from this schedule on. Returns a line for each bug, in the order of the list. */
    static List<String> hunt(List<SimPlant> plants, long seed) throws InterruptedException {
        return forEach(plants, plant -> hunt(plant, seed, SCHEDULES));
    }

    static boolean isFound(String line) {
        return line.contains(": found ");
    }

    private static List<String> forEach(List<SimPlant> plants, Function<SimPlant, String> search)
            throws InterruptedException {
        ExecutorService hunters = Executors.newFixedThreadPool(SimRunner.processors());
        try {
            List<Callable<String>> searches = new ArrayList<>();
            plants.forEach(plant -> searches.add(() -> search.apply(plant)));
            List<String> lines = new ArrayList<>();
            for (Future<String> line : hunters.invokeAll(searches)) {
                lines.add(line.get());
            }
            return lines;
        } catch (ExecutionException failure) {
            throw new IllegalStateException("A search for a planted bug failed", failure.getCause());
        } finally {
            hunters.shutdownNow();
        }
    }

    private static String hunt(SimPlant plant, long seed, long schedules) {
        try {
            ClassLoader loader = new PlantedLoader(COMPILER.compile(plant.bug()));
            Method hunt = loader.loadClass(SimHunt.class.getName())
                    .getDeclaredMethod("hunt", String.class, long.class, long.class, String.class);
            hunt.setAccessible(true);
            return "planted " + plant.bug().name() + ": "
                    + hunt.invoke(null, plant.kinds().name(), seed, schedules, plant.symptom());
        } catch (IOException | ReflectiveOperationException failure) {
            throw new IllegalStateException("Cannot plant '" + plant.bug().name() + "'", failure);
        }
    }
}
