package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;

/** Somebody who leaves folders behind, and what is left of them when the servers have collected what nobody uses. */
final class Collected implements Player {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Player player;
    private final Cluster cluster;
    private long nodesBefore;
    private long bytesBefore;

    Collected(Player player, Cluster cluster) {
        this.player = player;
        this.cluster = cluster;
    }

    @Override
    public void prepare() throws Exception {
        player.prepare();
        awaitNothingCollected();
        nodesBefore = cluster.nodes();
        bytesBefore = cluster.bytes();
    }

    @Override
    public Figures run(Duration time) throws Exception {
        Figures figures = player.run(time);
        long bytes = cluster.bytes();
        awaitNothingCollected();
        return figures.and(Map.of(
                "server.bytes", (double) bytes - bytesBefore,
                "left", (double) cluster.nodes() - nodesBefore));
    }

    @Override
    public void close() throws Exception {
        player.close();
    }

    /** Until two looks, with collections between them, see as many nodes. */
    private void awaitNothingCollected() {
        long[] seen = {Long.MAX_VALUE};
        Awaitility.await("nothing left to collect")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Cluster.COLLECTION.multipliedBy(2))
                .until(() -> {
                    long before = seen[0];
                    seen[0] = cluster.nodes();
                    return seen[0] == before;
                });
    }
}
