package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayDeque;

/** One connection of a client to a server: both directions, and the requests that the server has not answered. */
final class SimConnection {

    final SimClient client;
    final SimServer server;
    final SimLink toServer;
    final SimLink toClient;

    /** What the server has received and not answered, in order. */
    final ArrayDeque<SimRequest> unanswered = new ArrayDeque<>(4);

    boolean establishedAtServer;
    /** When it was, if it was. */
    long acceptedAt;

    boolean openAtServer = true;
    /** Whether the way to the server is broken: the server does not receive later requests. */
    boolean broken;

    long session;
    /** The session timeout that the server granted for this connection, by its own limits. */
    long timeout;

    SimConnection(SimClient client, SimServer server, SimScheduler scheduler, SimDelays delays, boolean cut) {
        this.client = client;
        this.server = server;
        this.toServer = new SimLink(scheduler, delays, server::enter, cut);
        this.toClient = new SimLink(scheduler, delays, Runnable::run, cut);
    }

    void setCut(boolean cut) {
        toServer.setCut(cut);
        toClient.setCut(cut);
    }

    /** The server ends it; the client notices later. */
    void closeAtServer() {
        if (openAtServer) {
            openAtServer = false;
            unanswered.clear();
            server.forget(this);
            toClient.send(() -> client.lost(this));
        }
    }

    /** The client ended it; the server notices later, after whatever was sent before. */
    void closeAtClient() {
        toServer.send(() -> {
            if (openAtServer) {
                openAtServer = false;
                unanswered.clear();
                server.forget(this);
            }
        });
    }
}
