package io.github.zklock.zookeeper.internal.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Loads the engine anew, and its tests with it, with the planted classes in place of their originals. */
final class PlantedLoader extends ClassLoader {

    private static final String PACKAGE = PlantCompiler.PACKAGE + ".";

    private final Map<String, byte[]> planted;

    PlantedLoader(Map<String, byte[]> planted) {
        super(PlantedLoader.class.getClassLoader());
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
