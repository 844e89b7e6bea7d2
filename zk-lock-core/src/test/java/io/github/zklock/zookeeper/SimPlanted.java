package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimPlants.Plant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Hunts for all planted bugs, several at a time. */
final class SimPlanted {

    /**
     * Where to begin for bugs that show in few schedules only: shortly before one that shows it. Where that is so no longer,
     * the hunt takes longer, and nothing else.
     */
    private static final Map<String, Long> NEAR = Map.of(
            "no owner check", 1_600L,
            "no sync before the lookup", 1_000L,
            "no sync before the search", 2_100L,
            "receive time in the proof", 1_200L,
            "ended session taken for alive", 400L,
            "suspended machine not noticed", 1_600L,
            "late readers join although a writer waits", 5_000L,
            "other kinds not refused", 2_750L);

    private SimPlanted() {}

    /** One line for each, in the order of the list: all begin with the same schedule. */
    static List<String> huntAll(long seed, long schedules) throws InterruptedException {
        return huntAll(plant -> seed, schedules);
    }

    /** As {@link #huntAll}, beginning where a bug is known to show. */
    static List<String> huntAllNear(long seed, long schedules) throws InterruptedException {
        Set<String> names = SimPlants.ALL.stream().map(Plant::name).collect(Collectors.toSet());
        if (!names.containsAll(NEAR.keySet())) {
            throw new IllegalStateException("No such plants: bring " + NEAR.keySet() + " up to date");
        }
        return huntAll(plant -> NEAR.getOrDefault(plant.name(), seed), schedules);
    }

    private static List<String> huntAll(ToLongFunction<Plant> seed, long schedules) throws InterruptedException {
        ExecutorService hunters = Executors.newFixedThreadPool(SimRunner.processors());
        try {
            List<Callable<String>> hunts = new ArrayList<>();
            for (Plant plant : SimPlants.ALL) {
                hunts.add(() -> "planted " + plant.name() + ": "
                        + SimPlantRunner.hunt(plant, seed.applyAsLong(plant), schedules));
            }
            List<String> lines = new ArrayList<>();
            for (Future<String> verdict : hunters.invokeAll(hunts)) {
                lines.add(verdict.get());
            }
            return lines;
        } catch (ExecutionException failure) {
            throw new IllegalStateException("A plant cannot be hunted for", failure.getCause());
        } finally {
            hunters.shutdownNow();
        }
    }
}
