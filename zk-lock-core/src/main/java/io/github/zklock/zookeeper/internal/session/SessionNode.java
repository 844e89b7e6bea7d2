package io.github.zklock.zookeeper.internal.session;

import org.jspecify.annotations.Nullable;

/** A node in a queue, which ZooKeeper deletes when its session ends. All methods are called on the loop. */
public interface SessionNode {

    /** Returns the unique part of the node's name. */
    String id();

    /** Returns the path of the node; null unless the node is known to exist by this name. */
    @Nullable String path();

    /** Called if the node does not exist any more although this process did not delete it. */
    void vanished();

    void sessionEnded(String reason);
}
