package io.github.zklock.autoconfigure.startup;

import io.github.zklock.autoconfigure.ZkLockStartupException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks with the servers that a first lock can be acquired: a session, the base path, and the permission to create
 * nodes below it. The leader decides, and no node remains: the probe node is created in a transaction whose second
 * operation must fail.
 */
final class AccessCheck {

    private static final Logger LOG = LoggerFactory.getLogger(AccessCheck.class);

    /** Interval between checks of the client's state, which reports no event if its authentication fails. */
    private static final Duration LOOK = Duration.ofMillis(250);

    /** ZooKeeper creates a node with version 0. */
    private static final int NO_VERSION_OF_A_NEW_NODE = 1;

    private final CuratorFramework client;
    private final String basePath;
    private final @Nullable ACLProvider acls;
    private final CountDownLatch pause = new CountDownLatch(1);
    private volatile String trouble = "";

    /** @param acls access lists of the nodes; null if nodes get the list of the base path */
    AccessCheck(CuratorFramework client, String basePath, @Nullable ACLProvider acls) {
        this.client = client;
        this.basePath = basePath;
        this.acls = acls;
    }

    /**
     * Returns when a lock can be acquired. Until then, waits through outages.
     *
     * @throws ZkLockStartupException if the servers reject this client
     * @throws InterruptedException if the thread is interrupted
     */
    void await() throws InterruptedException {
        while (client.getState() == CuratorFrameworkState.STARTED) {
            boolean connected = client.blockUntilConnected(Math.toIntExact(LOOK.toMillis()), TimeUnit.MILLISECONDS);
            try {
                if (stateOfHandle() == ZooKeeper.States.AUTH_FAILED) {
                    throw new KeeperException.AuthFailedException();
                }
                if (connected) {
                    ask();
                    return;
                }
            } catch (KeeperException.AuthFailedException | KeeperException.SessionClosedRequireAuthException refused) {
                throw authenticationRefused(refused);
            } catch (KeeperException.NoAuthException refused) {
                throw accessDenied(refused);
            } catch (KeeperException.InvalidACLException refused) {
                throw invalidAccessList(refused);
            } catch (KeeperException.NoNodeException missing) {
                throw missing(missing);
            } catch (InterruptedException givenUp) {
                throw givenUp;
            } catch (Exception failed) {
                LOG.debug("The base path {} cannot be checked yet", basePath, failed);
                if (connected) {
                    trouble = failed.toString();
                }
            }
            if (connected) {
                // limits the rate of requests to a server that answers with an error
                pause.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Returns the failure of the last request on a session; empty if no request failed. */
    String trouble() {
        return trouble;
    }

    private ZooKeeper.States stateOfHandle() throws Exception {
        ZooKeeper handle = client.getZookeeperClient().getZooKeeper();
        return handle == null ? ZooKeeper.States.NOT_CONNECTED : handle.getState();
    }

    private void ask() throws Exception {
        if (!basePath.equals("/")) {
            client.createContainers(basePath);
        }
        List<ACL> accessList = acls == null ? client.getACL().forPath(basePath) : acls.getDefaultAcl();
        String probe = ZKPaths.makePath(basePath, "_startup-" + UUID.randomUUID());
        try {
            client.transaction()
                    .forOperations(
                            client.transactionOp().create().withACL(accessList).forPath(probe, new byte[0]),
                            client.transactionOp()
                                    .check()
                                    .withVersion(NO_VERSION_OF_A_NEW_NODE)
                                    .forPath(probe));
        } catch (KeeperException.BadVersionException created) {
            // expected: the servers would have created the node, and rolled it back
        }
        if (acls != null && !isOpen(accessList) && isOpen(accessListOfTheBasePath())) {
            LOG.warn(
                    "The base path {} is open to every client, although zk.lock.acl is not: each client that reaches the"
                            + " servers may create the folder of a lock first, and delete the nodes in it. Limit its access"
                            + " list, or set a zk.lock.base-path that does not exist yet and has a limited parent",
                    basePath);
        }
    }

    private List<ACL> accessListOfTheBasePath() throws Exception {
        try {
            return client.getACL().forPath(basePath);
        } catch (KeeperException.NoAuthException notForUs) {
            return List.of();
        }
    }

    /** Returns whether every client may create nodes, delete them, or change the list. */
    private static boolean isOpen(List<ACL> accessList) {
        return accessList.stream()
                .anyMatch(entry -> entry.getId().equals(Ids.ANYONE_ID_UNSAFE)
                        && (entry.getPerms() & (Perms.CREATE | Perms.DELETE | Perms.ADMIN)) != 0);
    }

    private ZkLockStartupException authenticationRefused(KeeperException refused) {
        return new ZkLockStartupException(
                "The ZooKeeper servers " + servers() + " reject the authentication of this application ("
                        + refused.code() + ")",
                "Correct zk.lock.auth.*, or for SASL zk.lock.client.properties.* and the"
                        + " login configuration; and check that the servers support the scheme.",
                refused);
    }

    private ZkLockStartupException accessDenied(KeeperException refused) {
        String path = refused.getPath() == null ? basePath : refused.getPath();
        return new ZkLockStartupException(
                "An access list of the ZooKeeper servers " + servers() + " forbids this application to use "
                        + (path.startsWith(basePath + "/") ? basePath : path) + ", which zk.lock.base-path=" + basePath
                        + " needs",
                "Grant the identity of this application create, read, write and delete on " + basePath
                        + ", authenticate as one that has them with zk.lock.auth.*, or set another zk.lock.base-path.",
                refused);
    }

    private ZkLockStartupException invalidAccessList(KeeperException refused) {
        return new ZkLockStartupException(
                "The ZooKeeper servers " + servers() + " reject the access list of zk.lock.acl for " + basePath,
                "Correct zk.lock.acl. creator-all and the scheme auth need an identity: set zk.lock.auth.* as well.",
                refused);
    }

    private ZkLockStartupException missing(KeeperException missing) {
        return new ZkLockStartupException(
                "The base path " + basePath + " of zk.lock.base-path cannot be created on the ZooKeeper servers "
                        + servers() + ": the path at the end of the connect string does not exist",
                "Create that path on the servers, or remove it from zk.lock.connect-string.",
                missing);
    }

    private String servers() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }
}
