package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;

/**
 * A bug that the simulation must find.
 *
 * @param kinds the locks of the schedules that can show it
 * @param seed the schedule that shows it
 * @param symptom what the violation must mention, if several rules are broken at once; else empty
 */
record SimPlant(Plant bug, SimKinds kinds, long seed, String symptom) {

    static SimPlant exclusive(long seed, String name, Edit... edits) {
        return new SimPlant(new Plant(name, edits), SimKinds.EXCLUSIVE, seed, "");
    }

    static SimPlant exclusive(long seed, String name, String member, String code, String replacement) {
        return exclusive(seed, name, new Edit(member, code, replacement));
    }

    static SimPlant readWrite(long seed, String name, String member, String code, String replacement) {
        return new SimPlant(new Plant(name, new Edit(member, code, replacement)), SimKinds.READ_WRITE, seed, "");
    }

    static SimPlant semaphore(long seed, String name, Edit... edits) {
        return new SimPlant(new Plant(name, edits), SimKinds.SEMAPHORE, seed, "");
    }

    static SimPlant semaphore(long seed, String name, String member, String code, String replacement) {
        return semaphore(seed, name, new Edit(member, code, replacement));
    }

    SimPlant withSymptom(String mentioned) {
        return new SimPlant(bug, kinds, seed, mentioned);
    }
}
