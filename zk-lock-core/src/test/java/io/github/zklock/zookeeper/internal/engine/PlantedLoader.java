package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.fixture.ReloadingLoader;
import java.util.Map;

/** Loads the engine anew, and its tests with it, with the planted classes in place of their originals. */
final class PlantedLoader extends ReloadingLoader {

    private final Map<String, byte[]> planted;

    PlantedLoader(Map<String, byte[]> planted) {
        super("planted", PlantCompiler.PACKAGE + ".");
        this.planted = planted;
    }

    @Override
    protected byte[] codeOf(String name) throws ClassNotFoundException {
        byte[] code = planted.get(name);
        return code == null ? original(name) : code;
    }
}
