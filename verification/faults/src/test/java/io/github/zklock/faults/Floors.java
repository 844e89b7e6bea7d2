package io.github.zklock.faults;

/** What must at least have happened for a scenario to prove anything. */
record Floors(int grants, int handOvers, int together, int losses, int faults) {

    static Floors of(FaultScenario scenario) {
        return new Floors(
                scenario.grants(), scenario.handOvers(), scenario.together(), scenario.losses(), scenario.faults());
    }
}
