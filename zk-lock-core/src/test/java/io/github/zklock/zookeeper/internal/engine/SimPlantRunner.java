package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;

/** Lets the simulation look for one bug in the engine that has it. */
final class SimPlantRunner {

    private static final String PACKAGE = PlantCompiler.PACKAGE + ".";
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

    /** Loads the engine's package anew, with the planted classes in place of their originals. */
    private static final class PlantedLoader extends ClassLoader {
        private final Map<String, byte[]> planted;

        PlantedLoader(Map<String, byte[]> planted) {
            super(SimPlantRunner.class.getClassLoader());
            this.planted = planted;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    byte[] bytes = planted.containsKey(name) ? planted.get(name) : original(name);
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded;
            }
        }

        private byte[] original(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                return in.readAllBytes();
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}
