package io.github.zklock.zookeeper.internal.session;

import org.jspecify.annotations.Nullable;

/** A node in a queue, which ZooKeeper deletes when its session ends. All methods are called on the loop. */
public interface SessionNode {

    /** The unique part of the node's name. */
    String id();

    /** The node, while it is known to exist by this name. */
    @Nullable String path();

    /** The node does not exist any more, and nobody here has deleted it. */
    void vanished(String reason);

    void sessionEnded(String reason);
}
