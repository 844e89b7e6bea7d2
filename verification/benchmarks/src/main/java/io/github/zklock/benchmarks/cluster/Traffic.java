package io.github.zklock.benchmarks.cluster;

/**
 * The traffic through a proxy.
 *
 * @param requests requests of clients, without pings
 * @param events watch events of servers
 * @param bytes bytes of requests, replies and events in both directions
 */
public record Traffic(long requests, long events, long bytes) {

    public static final Traffic NONE = new Traffic(0, 0, 0);

    public Traffic plus(Traffic other) {
        return new Traffic(requests + other.requests, events + other.events, bytes + other.bytes);
    }

    public Traffic since(Traffic before) {
        return new Traffic(requests - before.requests, events - before.events, bytes - before.bytes);
    }
}
