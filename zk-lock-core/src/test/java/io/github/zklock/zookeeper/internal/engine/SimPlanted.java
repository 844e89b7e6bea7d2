package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Hunts for planted bugs, several at a time. */
final class SimPlanted {

    private SimPlanted() {}

    /** Returns one line for each, in the order of the list. All hunts begin with the same schedule, which may be any. */
    static List<String> hunt(List<Plant> plants, long seed, long schedules) throws InterruptedException {
        ExecutorService hunters = Executors.newFixedThreadPool(SimRunner.processors());
        try {
            List<Callable<String>> hunts = new ArrayList<>();
            for (Plant plant : plants) {
                hunts.add(() -> "planted " + plant.name() + ": " + SimPlantRunner.hunt(plant, seed, schedules));
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
