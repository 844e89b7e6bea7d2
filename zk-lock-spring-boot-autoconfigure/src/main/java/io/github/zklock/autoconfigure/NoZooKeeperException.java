package io.github.zklock.autoconfigure;

/** Reports that no ZooKeeper servers are configured. */
public final class NoZooKeeperException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoZooKeeperException() {
        super("No ZooKeeper servers are configured; set zk.lock.connect-string, define a ZkLockConnectionDetails bean,"
                + " add the dependency zk-lock-embedded for a development server, or define a CuratorFramework bean");
    }
}
