package io.github.zklock.zookeeper.internal.transport;

import java.io.IOException;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * A ZooKeeper handle that creates one node and then disconnects without closing its session, so that the leader expires
 * the session.
 */
final class AbandonedZooKeeper extends ZooKeeper {

    /** The receiver of the answer to {@link #create}. */
    @FunctionalInterface
    interface Answer {
        void accept(int resultCode, int timeoutMillis);
    }

    private static final byte[] NOTHING = {};

    private AbandonedZooKeeper(ObservedZooKeeper like, int timeoutMillis) throws IOException {
        super(like.connectString(), timeoutMillis, event -> {}, like.getClientConfig());
    }

    /**
     * Creates an ephemeral node on a new session. Each way ends without a connection.
     *
     * @param like the handle whose servers, configuration and credentials the new one has
     * @param answer receives the result code, and the timeout of the session in milliseconds
     */
    static void create(ObservedZooKeeper like, int timeoutMillis, String path, List<ACL> acls, Answer answer)
            throws IOException {
        AbandonedZooKeeper handle = new AbandonedZooKeeper(like, timeoutMillis);
        Credentials.copy(like, handle);
        handle.create(
                path,
                NOTHING,
                acls,
                CreateMode.EPHEMERAL,
                (rc, asked, context, name) -> {
                    // ZooKeeper.close would close the session; a ping would keep it alive
                    handle.cnxn.disconnect();
                    answer.accept(rc, handle.getSessionTimeout());
                },
                null);
    }
}
