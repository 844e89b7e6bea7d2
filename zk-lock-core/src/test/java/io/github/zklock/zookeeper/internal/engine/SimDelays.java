package io.github.zklock.zookeeper.internal.engine;

/** How long messages of one schedule travel: a little, and in some schedules now and then much longer. */
final class SimDelays {

    private final SimRandom random;
    private final long least;
    private final long most;
    private final double tailChance;
    private final long tailMean;

    SimDelays(SimRandom random, long least, long most, double tailChance, long tailMean) {
        this.random = random;
        this.least = least;
        this.most = most;
        this.tailChance = tailChance;
        this.tailMean = tailMean;
    }

    long next() {
        long delay = random.between(least, most);
        if (tailChance > 0 && random.chance(tailChance)) {
            // strict, so that a seed means the same on every machine
            delay += (long) (-StrictMath.log(1 - random.unit()) * tailMean);
        }
        return delay;
    }
}
