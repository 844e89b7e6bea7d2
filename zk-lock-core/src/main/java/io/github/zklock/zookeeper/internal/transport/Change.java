package io.github.zklock.zookeeper.internal.transport;

/** One change of ZooKeeper's tree, as part of a transaction. Paths are below the client's namespace. */
public sealed interface Change {

    String path();

    /**
     * Creates a sequential ephemeral node.
     *
     * @param path the server appends ten digits to it
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record CreateSeat(String path, byte[] data) implements Change {}

    /** Creates an ephemeral node of exactly this path. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record CreateEphemeral(String path, byte[] data) implements Change {}

    /** Creates a container. */
    record CreateFolder(String path) implements Change {}

    /** Deletes a node. */
    record Delete(String path) implements Change {}

    /** Replaces the data of a node. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record Write(String path, byte[] data) implements Change {}

    /** Changes nothing, and fails if the node does not exist. */
    record Check(String path) implements Change {}
}
