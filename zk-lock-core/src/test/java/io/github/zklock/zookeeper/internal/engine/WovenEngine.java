package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.fixture.WovenClasses;

/** Loads the engine anew, and its tests with it, with calls of a test in the engine's methods. */
abstract class WovenEngine extends WovenClasses {

    WovenEngine(String name) {
        super(name, PlantCompiler.PACKAGE + ".", "/target/classes/");
    }
}
