package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.Map;

/** Somebody who makes servers remember much, and what they still need when they may have forgotten it. */
final class WithServerHeap implements Player {

    private final Player player;
    private final Cluster cluster;
    private long before;

    WithServerHeap(Player player, Cluster cluster) {
        this.player = player;
        this.cluster = cluster;
    }

    @Override
    public void prepare() throws Exception {
        player.prepare();
        before = cluster.heap();
    }

    @Override
    public Figures run(Duration time) throws Exception {
        return player.run(time)
                .and(Map.of(Figures.SERVER_BEFORE, (double) before, Figures.SERVER_AFTER, (double) cluster.heap()));
    }

    @Override
    public void close() throws Exception {
        player.close();
    }
}
