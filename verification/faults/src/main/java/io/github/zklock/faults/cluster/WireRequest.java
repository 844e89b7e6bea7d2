package io.github.zklock.faults.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;

/**
 * A request of a client, or an event of a server, as far as its frame contains it.
 *
 * @param xid the client's number of the request; negative for messages without a number
 * @param opcode one of {@link OpCode}; {@link OpCode#notification} for an event
 * @param part the opcode of the first part of a transaction; otherwise the same as {@code opcode}
 * @param path the path of the request, or of the first part of a transaction; empty if there is none
 */
public record WireRequest(int xid, int opcode, int part, String path) {

    /** The first frame on a connection, which begins or resumes a session. */
    static final WireRequest CONNECT =
            new WireRequest(Integer.MIN_VALUE, OpCode.createSession, OpCode.createSession, "");

    private static final int PING_XID = -2;
    private static final int BYTES_OF_MULTI_HEADER = 9;
    private static final int BYTES_OF_EVENT_HEADER = 16;

    /** Parses any frame but the first. */
    static WireRequest parse(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        int xid = in.getInt();
        int opcode = in.getInt();
        return switch (opcode) {
            case OpCode.create,
                    OpCode.create2,
                    OpCode.createContainer,
                    OpCode.createTTL,
                    OpCode.delete,
                    OpCode.exists,
                    OpCode.getData,
                    OpCode.setData,
                    OpCode.getChildren,
                    OpCode.getChildren2,
                    OpCode.sync,
                    OpCode.removeWatches,
                    OpCode.checkWatches -> new WireRequest(xid, opcode, opcode, string(in));
            case OpCode.multi -> {
                int part = in.getInt();
                in.position(2 * Integer.BYTES + BYTES_OF_MULTI_HEADER);
                yield new WireRequest(xid, opcode, part, string(in));
            }
            default -> new WireRequest(xid, opcode, opcode, "");
        };
    }

    /** Parses a frame of a server that is no reply. */
    static WireRequest event(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        int xid = in.getInt();
        // type and state precede the path
        in.position(BYTES_OF_EVENT_HEADER + 2 * Integer.BYTES);
        return new WireRequest(xid, OpCode.notification, OpCode.notification, string(in));
    }

    /** Returns a request that repeats under one number, as heartbeats do. */
    static WireRequest unnumbered(int xid) {
        return new WireRequest(xid, OpCode.ping, OpCode.ping, "");
    }

    boolean isPing() {
        return xid == PING_XID;
    }

    /** Returns whether this is an operation of the client: no heartbeat, connect request or event. */
    boolean isOperation() {
        return !isPing() && opcode != OpCode.createSession && opcode != OpCode.notification && opcode != OpCode.auth;
    }

    /** Returns ZooKeeper's name of the operation. */
    public String name() {
        return part == opcode ? Request.op2String(opcode) : Request.op2String(opcode) + "-" + Request.op2String(part);
    }

    private static String string(ByteBuffer in) {
        if (in.remaining() < Integer.BYTES) {
            return "";
        }
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            return "";
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
