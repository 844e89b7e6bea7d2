package io.github.zklock.zookeeper.internal.transport;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One change of ZooKeeper's tree, as part of a transaction. Paths are below the client's namespace. */
public sealed interface Change {

    String path();

    /**
     * Creates a sequential ephemeral node.
     *
     * @param path the server appends ten digits to it
     * @param place how many nodes the same transaction creates in the same folder before it
     * @param data at this place
     * @param dataAt the data at any place; null if no transaction may create this node and another one in the same folder
     * @param canWait whether it need not be created before other writes in its folder that are under way have been answered
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they are sent, never compared
    record CreateSeat(
            String path, int place, byte[] data, @Nullable IntFunction<byte[]> dataAt, boolean canWait)
            implements Change {

        /** One that shares no transaction with another one in its folder. */
        public CreateSeat(String path, byte[] data) {
            this(path, 0, data, null, false);
        }

        /** One that may share a transaction, as its data tells its place. */
        public static CreateSeat sharing(String path, IntFunction<byte[]> dataAt, boolean canWait) {
            return new CreateSeat(path, 0, dataAt.apply(0), dataAt, canWait);
        }

        boolean mayShare() {
            return dataAt != null;
        }

        CreateSeat at(int other) {
            return other == place || dataAt == null
                    ? this
                    : new CreateSeat(path, other, dataAt.apply(other), dataAt, canWait);
        }
    }

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
