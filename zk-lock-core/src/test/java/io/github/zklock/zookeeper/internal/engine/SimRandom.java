package io.github.zklock.zookeeper.internal.engine;

import java.util.List;

/** Random numbers that depend on nothing but the seed. */
final class SimRandom {

    private long state;

    SimRandom(long seed) {
        this.state = seed * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L;
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 to the bound, which is excluded. */
    int below(int bound) {
        return (int) Math.floorMod(next(), (long) bound);
    }

    /** From low to high, which is excluded. */
    long between(long low, long high) {
        return high <= low ? low : low + Math.floorMod(next(), high - low);
    }

    double unit() {
        return (next() >>> 11) * 0x1p-53;
    }

    boolean chance(double probability) {
        return unit() < probability;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
