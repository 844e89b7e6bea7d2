package io.github.zklock.benchmarks.contender;

import io.github.zklock.Leadership;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;

/** The ways to elect one process as the leader. */
public enum Election {
    LEADERSHIP("zk-lock") {
        @Override
        public BooleanSupplier join(String servers) {
            CuratorFramework client = Clients.connect(ZooKeeperLockRegistry.clientBuilder(), servers);
            Leadership leadership =
                    ZooKeeperLockRegistry.builder().client(client).build().leadership("/leader");
            leadership.start();
            return leadership::isLeader;
        }
    },
    LATCH("Curator's LeaderLatch") {
        @Override
        public BooleanSupplier join(String servers) throws Exception {
            LeaderLatch latch = new LeaderLatch(Clients.connect(servers), "/latch");
            latch.start();
            return latch::hasLeadership;
        }
    };

    private final String label;

    Election(String label) {
        this.label = label;
    }

    /** Returns its name in tables and charts. */
    public String label() {
        return label;
    }

    /** Makes this process a candidate until it ends. Returns whether it is the leader. */
    public abstract BooleanSupplier join(String servers) throws Exception;
}
