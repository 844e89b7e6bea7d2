package io.github.zklock.faults.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The first message on an election connection: the id of the server and its address. The server with the higher id
 * connects back to this address, bypassing every relay unless the message names one.
 */
final class ElectionHandshake {

    private static final int LONGEST = 2048;

    private ElectionHandshake() {}

    /** Forwards the message with another address. */
    static void forward(InputStream from, OutputStream to, InetSocketAddress callBack) throws IOException {
        DataInputStream in = new DataInputStream(from);
        long protocol = in.readLong();
        long server = in.readLong();
        int length = in.readInt();
        if (length < 0 || length > LONGEST) {
            throw new IOException("A handshake of " + length + " bytes from server " + server);
        }
        in.skipNBytes(length);
        byte[] address =
                (callBack.getAddress().getHostAddress() + ":" + callBack.getPort()).getBytes(StandardCharsets.UTF_8);
        DataOutputStream out = new DataOutputStream(to);
        out.writeLong(protocol);
        out.writeLong(server);
        out.writeInt(address.length);
        out.write(address);
        out.flush();
    }
}
