package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;

/**
 * Nodes with data, each with the number of its writes. Requests and answers are those of {@link
 * WireSession}, in the same order.
 */
public interface Records {

    /**
     * Returns the leader's wall clock in milliseconds, by a write to this folder. The outcome is {@link
     * Outcome#NO_NODE} if the folder does not exist.
     */
    void time(String folder, Reply<Long> reply);

    void read(String path, Reply<Entry> reply);

    /**
     * Creates a record. The outcome is {@link Outcome#NO_NODE} if its folder does not exist, and {@link
     * Outcome#NODE_EXISTS} if there is a record.
     */
    void create(String path, byte[] data, Reply<Entry> reply);

    /** Creates a record as {@link #create} does. The servers delete it at the end of the session. */
    void createTemporary(String path, byte[] data, Reply<Entry> reply);

    /** Replaces the data, for -1 of any version. The outcome is {@link Outcome#REFUSED} unless this is the present version. */
    void write(String path, byte[] data, int version, Reply<Entry> reply);

    /** Deletes a record, for -1 of any version. The outcome is {@link Outcome#REFUSED} unless this is the present version. */
    void delete(String path, int version, Reply<Void> reply);

    /**
     * A record as read or written.
     *
     * @param writtenMillis the leader's wall clock at the last write
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as received, never compared
    record Entry(byte[] data, int version, long writtenMillis) {}
}
