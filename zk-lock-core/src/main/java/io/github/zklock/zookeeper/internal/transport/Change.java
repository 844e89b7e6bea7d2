package io.github.zklock.zookeeper.internal.transport;

import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One change of ZooKeeper's tree, alone or as part of a transaction. Paths are below the client's namespace. */
public sealed interface Change {

    int ANY_VERSION = -1;

    String path();

    /** Returns whether the change may wait until the writes under way in its folder have been answered. */
    default boolean canWait() {
        return false;
    }

    /**
     * Creates a sequential ephemeral node.
     *
     * @param path the server appends ten digits to it
     * @param placed receives, before each send, the number of nodes that the same transaction creates in this folder
     *     before this one; null if this node shares no transaction with other nodes of its folder
     * @param canWait as for {@link Change#canWait}
     * @param wanted whether the node is still needed; otherwise the create need not be sent any more
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record CreateSeat(String path, byte[] data, @Nullable IntConsumer placed, boolean canWait, BooleanSupplier wanted)
            implements Change {

        boolean mayShare() {
            return placed != null;
        }

        void tellPlace(int place) {
            if (placed != null) {
                placed.accept(place);
            }
        }
    }

    /** Creates an ephemeral node of exactly this path. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record CreateEphemeral(String path, byte[] data) implements Change {}

    /** Creates a node of exactly this path that outlives the session. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record Create(String path, byte[] data) implements Change {}

    /** Creates a container. */
    record CreateFolder(String path) implements Change {}

    /**
     * Deletes a node.
     *
     * @param version the version that the node must have, otherwise the outcome is {@link Outcome#REFUSED}; {@link
     *     #ANY_VERSION} for any
     * @param canWait as for {@link Change#canWait}
     */
    record Delete(String path, int version, boolean canWait) implements Change {

        public Delete(String path) {
            this(path, ANY_VERSION);
        }

        public Delete(String path, int version) {
            this(path, version, false);
        }
    }

    /**
     * Replaces the data of a node.
     *
     * @param version as for {@link Delete}
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record Write(String path, byte[] data, int version) implements Change {

        public Write(String path, byte[] data) {
            this(path, data, ANY_VERSION);
        }
    }

    /** Changes nothing, and fails if the node does not exist. */
    record Check(String path) implements Change {}
}
