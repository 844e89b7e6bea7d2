package io.github.zklock.faults.cluster;

import java.nio.ByteBuffer;
import org.apache.zookeeper.ZooDefs.OpCode;

/**
 * A server's reply to a request.
 *
 * @param error 0 if the request succeeded; meaningless for {@link OpCode#createSession}
 * @param sessionMillis for {@link OpCode#createSession} the negotiated session timeout, which is 0 if the session has
 *     expired; 0 for other requests
 * @param at the {@link System#nanoTime()} at which the reply arrived from the server
 */
public record WireReply(WireRequest request, int error, int sessionMillis, long at) {

    // protocol version, then the timeout
    private static final int TIMEOUT_IN_CONNECT = Integer.BYTES;
    // xid and zxid, then the error
    private static final int ERROR_IN_HEADER = Integer.BYTES + Long.BYTES;

    static WireReply parse(WireRequest request, byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        boolean connect = request.opcode() == OpCode.createSession;
        return new WireReply(
                request,
                connect ? 0 : in.getInt(ERROR_IN_HEADER),
                connect ? in.getInt(TIMEOUT_IN_CONNECT) : 0,
                System.nanoTime());
    }

    /** Returns whether the reply confirms the session of the client. */
    public boolean saysAlive() {
        return request.opcode() == OpCode.createSession && sessionMillis > 0;
    }

    /** Returns whether the reply confirms the commit of a transaction of several operations. */
    public boolean isCommit() {
        return request.opcode() == OpCode.multi && error == 0;
    }
}
