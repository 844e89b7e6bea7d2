package io.github.zklock.faults.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;

/**
 * What a client asks of a server, or an event that a server tells it of, as far as it can be read from its frame.
 *
 * @param xid the client's number for it; negative for what it does not number
 * @param opcode one of {@link OpCode}; {@link OpCode#notification} for an event
 * @param part of a transaction the opcode of its first part; the same as {@code opcode} otherwise
 * @param path of a transaction that of its first part; empty if it is about none
 */
public record WireRequest(int xid, int opcode, int part, String path) {

    /** Its first frame on a connection, which begins a session or takes one up. */
    static final WireRequest CONNECT =
            new WireRequest(Integer.MIN_VALUE, OpCode.createSession, OpCode.createSession, "");

    private static final int PING_XID = -2;
    private static final int BYTES_OF_MULTI_HEADER = 9;
    private static final int BYTES_OF_EVENT_HEADER = 16;

    /** Reads any frame but the first. */
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

    /** Reads a server's frame that answers nothing. */
    static WireRequest event(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        int xid = in.getInt();
        // type and state stand before the path
        in.position(BYTES_OF_EVENT_HEADER + 2 * Integer.BYTES);
        return new WireRequest(xid, OpCode.notification, OpCode.notification, string(in));
    }

    /** Something that is asked under one number again and again, as signs of life are. */
    static WireRequest unnumbered(int xid) {
        return new WireRequest(xid, OpCode.ping, OpCode.ping, "");
    }

    boolean isPing() {
        return xid == PING_XID;
    }

    /** Whether the client asked for it of itself: no sign of life, no opening of a connection, no event. */
    boolean isOperation() {
        return !isPing() && opcode != OpCode.createSession && opcode != OpCode.notification && opcode != OpCode.auth;
    }

    /** The word that ZooKeeper has for it. */
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
