package io.github.zklock.faults.cluster;

import io.github.zklock.faults.cluster.InterceptingProxy.MessageDirection;
import io.github.zklock.faults.cluster.Interception.Phase;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;

/** One client connection through an {@link InterceptingProxy}, frame by frame. */
final class ProxyConnection {

    private static final int EVENT_XID = -1;
    private static final int LARGEST_FRAME = 64 * 1024 * 1024;
    private static final int BYTES_OF_REPLY_HEADER = 16;

    private record Sent(WireRequest request, @Nullable Interception interception) {}

    private final InterceptingProxy proxy;
    private final Socket client;
    private final Socket server;
    private final Map<Integer, Sent> unanswered = new ConcurrentHashMap<>();

    private volatile boolean clientGone;

    ProxyConnection(InterceptingProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    void carryRequests() {
        try {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            boolean first = true;
            while (carryRequest(frame(in), first, out)) {
                first = false;
            }
        } catch (IOException | InterruptedException ended) {
            // either side or the proxy has closed the connection
        } finally {
            endRequests();
        }
    }

    void carryReplies() {
        try {
            DataInputStream in = new DataInputStream(server.getInputStream());
            OutputStream out = client.getOutputStream();
            boolean first = true;
            while (carryReply(frame(in), first, out)) {
                first = false;
            }
        } catch (IOException | InterruptedException ended) {
            // either side or the proxy has closed the connection
        } finally {
            end();
        }
    }

    void end() {
        proxy.ended(this);
        Quietly.close(client);
        Quietly.close(server);
    }

    /** Returns whether to continue. */
    private boolean carryRequest(byte[] frame, boolean first, OutputStream out)
            throws IOException, InterruptedException {
        WireRequest request = first ? WireRequest.CONNECT : WireRequest.parse(frame);
        Interception interception = proxy.interceptionAt(request);
        unanswered.put(request.xid(), new Sent(request, interception));
        if (interception != null
                && interception.phase() == Phase.BEFORE_SEND
                && proxy.triggers(interception, request)) {
            end();
            return false;
        }
        proxy.awaitPassage(MessageDirection.TO_SERVER, request);
        write(frame, out);
        if (interception != null && interception.phase() == Phase.AFTER_SEND && proxy.triggers(interception, request)) {
            clientGone = true;
            return false;
        }
        return true;
    }

    /**
     * Closes the client's side only, so that the server still reads the requests that it received, and answers them.
     */
    private void endRequests() {
        if (!clientGone) {
            end();
            return;
        }
        Quietly.close(client);
        try {
            server.shutdownOutput();
        } catch (IOException gone) {
            end();
        }
    }

    /** Returns whether to continue. */
    private boolean carryReply(byte[] frame, boolean first, OutputStream out) throws IOException, InterruptedException {
        int xid = first ? WireRequest.CONNECT.xid() : ByteBuffer.wrap(frame).getInt();
        Sent sent = xid == EVENT_XID ? event(frame) : answered(xid);
        proxy.replied(WireReply.parse(sent.request(), frame));
        Interception interception = sent.interception();
        if (interception != null
                && interception.phase() == Phase.BEFORE_REPLY
                && proxy.triggers(interception, sent.request())) {
            return false;
        }
        if (interception != null
                && interception.phase() == Phase.AFTER_SEND
                && interception.cuts()
                && !interception.isDisabled()) {
            // the answer was faster than the thread that triggers the interception
            clientGone = true;
            Quietly.close(client);
            return true;
        }
        hideServers(sent.request(), frame);
        proxy.awaitPassage(MessageDirection.TO_CLIENT, sent.request());
        try {
            write(frame, out);
        } catch (IOException e) {
            if (!clientGone) {
                throw e;
            }
        }
        return true;
    }

    private Sent event(byte[] frame) {
        WireRequest event = WireRequest.event(frame);
        return new Sent(event, proxy.interceptionAt(event));
    }

    private Sent answered(int xid) {
        Sent sent = unanswered.remove(xid);
        // several requests may share a number: the first answer has removed it
        return sent != null ? sent : new Sent(WireRequest.unnumbered(xid), null);
    }

    /*
     * Curator reads the servers' addresses from the ensemble configuration, and uses them for its next connection. It
     * ignores a configuration without entries.
     */
    private static void hideServers(WireRequest request, byte[] reply) {
        if (request.path().equals(ZooDefs.CONFIG_NODE) && reply.length > BYTES_OF_REPLY_HEADER + Integer.BYTES) {
            int length = ByteBuffer.wrap(reply).getInt(BYTES_OF_REPLY_HEADER);
            int from = BYTES_OF_REPLY_HEADER + Integer.BYTES;
            if (length > 0 && from + length <= reply.length) {
                Arrays.fill(reply, from, from + length, (byte) '\n');
            }
        }
    }

    private static byte[] frame(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > LARGEST_FRAME) {
            throw new IOException("No frame has " + length + " bytes");
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        return frame;
    }

    // in one write: a frame in two parts would wait for an acknowledgement in between
    private static void write(byte[] frame, OutputStream out) throws IOException {
        out.write(ByteBuffer.allocate(Integer.BYTES + frame.length)
                .putInt(frame.length)
                .put(frame)
                .array());
    }
}
