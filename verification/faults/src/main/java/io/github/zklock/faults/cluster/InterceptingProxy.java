package io.github.zklock.faults.cluster;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way from clients to the servers, on which everything that they say is listened to, and {@link Interception}s are laid. It
 * has a door for each server, so that clients find another one by themselves if theirs is gone, and it hides all other
 * ways. Thread-safe.
 */
public final class InterceptingProxy implements AutoCloseable {

    /** Which way a message goes. */
    public enum MessageDirection {
        TO_SERVER,
        TO_CLIENT
    }

    private static final int EACH_ITS_OWN = -1;
    private static final long MAX_WAIT_MILLIS = 10_000;

    private final BiConsumer<Interception, WireRequest> observer;
    private final List<InetSocketAddress> targets = new ArrayList<>();
    private final List<ServerSocket> acceptors = new ArrayList<>();
    private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    private final Map<MessageDirection, MessageGate> gates =
            Map.of(MessageDirection.TO_SERVER, new MessageGate(), MessageDirection.TO_CLIENT, new MessageGate());

    // guards: laid, traps
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Interception> installed = new ArrayList<>();
    private final Deque<Interception> interceptions = new ArrayDeque<>();

    /** The server to which all doors lead; negative if each leads to its own. */
    private volatile int onlyServer = EACH_ITS_OWN;

    private volatile Consumer<WireReply> listener = reply -> {};
    private volatile boolean refusing;
    private volatile boolean closed;

    /**
     * @param servers each with host and port
     * @param observer is told of each trap at the moment before it springs
     */
    public InterceptingProxy(List<String> servers, BiConsumer<Interception, WireRequest> observer) {
        this.observer = observer;
        for (String server : servers) {
            int colon = server.lastIndexOf(':');
            InetSocketAddress target =
                    new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
            ServerSocket acceptor = acceptor();
            targets.add(target);
            acceptors.add(acceptor);
        }
        for (int server = 0; server < acceptors.size(); server++) {
            ServerSocket acceptor = acceptors.get(server);
            InetSocketAddress target = targets.get(server);
            start("proxy-acceptor", () -> acceptAll(acceptor, target));
        }
    }

    /** What clients have to know; in the order of the servers. */
    public String connectString() {
        return acceptors.stream()
                .map(acceptor -> "127.0.0.1:" + acceptor.getLocalPort())
                .collect(joining(","));
    }

    /** Lays these, each when the one before it has sprung; those laid before are taken away. */
    public void install(List<Interception> next) {
        lock.lock();
        try {
            installed.forEach(Interception::disable);
            installed.clear();
            installed.addAll(next);
            interceptions.clear();
            interceptions.addAll(next);
        } finally {
            lock.unlock();
        }
    }

    /** Lets messages of this way pile up here until {@link #pass}, {@link #resume} or {@link #heal}. */
    public void holdBack(MessageDirection direction) {
        gate(direction).shut();
    }

    /** Lets so many of those go on that are about this, or that answer it, and whatever comes before the last of them. */
    public void pass(MessageDirection direction, Interception.Target target, int count) {
        gate(direction).pass(target::is, count);
    }

    /** Lets what has piled up go on, and what comes after it. */
    public void resume(MessageDirection direction) {
        gate(direction).open();
    }

    /** Ends all connections; new ones are served. */
    public void cut() {
        connections.forEach(ProxyConnection::end);
    }

    /** Serves no new connections until {@link #heal()}, and lets those be that there are. */
    public void refuseConnections() {
        refusing = true;
    }

    /**
     * Leads new connections to one server until {@link #heal()}, by whichever door they come, and leaves the present
     * connections as they are.
     *
     * @param server its place in the list of servers, from 0 on
     */
    public void routeTo(int server) {
        onlyServer = server;
    }

    /** Calls this with each reply of a server before the client receives the reply. */
    public void listen(Consumer<WireReply> to) {
        listener = to;
    }

    void replied(WireReply reply) {
        listener.accept(reply);
    }

    /** Lets everything through from now on; no traps are left. */
    public void heal() {
        refusing = false;
        onlyServer = EACH_ITS_OWN;
        install(List.of());
        gates.values().forEach(MessageGate::open);
    }

    @Override
    public void close() {
        closed = true;
        heal();
        acceptors.forEach(Quietly::close);
        cut();
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join(MAX_WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The trap for which this message is the spot. */
    @Nullable Interception interceptionAt(WireRequest request) {
        lock.lock();
        try {
            Interception next = interceptions.peek();
            if (next == null || !next.isAt(request)) {
                return null;
            }
            return interceptions.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the connection is to be cut. */
    boolean triggers(Interception interception, WireRequest request) {
        if (interception.isDisabled()) {
            return false;
        }
        observer.accept(interception, request);
        interception.trigger();
        return interception.cuts();
    }

    /** @param message what goes that way, or what it answers */
    void awaitPassage(MessageDirection direction, WireRequest message) throws InterruptedException {
        gate(direction).awaitPassage(message);
    }

    private MessageGate gate(MessageDirection direction) {
        return Objects.requireNonNull(gates.get(direction));
    }

    void ended(ProxyConnection connection) {
        connections.remove(connection);
    }

    private void acceptAll(ServerSocket acceptor, InetSocketAddress own) {
        while (!closed) {
            try {
                Socket client = acceptor.accept();
                int server = onlyServer;
                if (refusing) {
                    client.close();
                } else {
                    accept(client, server < 0 ? own : targets.get(server));
                }
            } catch (IOException e) {
                // the door was closed, or the server is not there: the client sees its connection end
            }
        }
    }

    private void accept(Socket client, InetSocketAddress target) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target, (int) TimeUnit.SECONDS.toMillis(1));
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException absent) {
            Quietly.close(server);
            client.close();
            throw absent;
        }
        ProxyConnection connection = new ProxyConnection(this, client, server);
        connections.add(connection);
        if (closed) {
            connection.end();
        }
        start("proxy-requests", connection::carryRequests);
        start("proxy-replies", connection::carryReplies);
    }

    private void start(String name, Runnable body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } finally {
                        threads.remove(Thread.currentThread());
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private static ServerSocket acceptor() {
        try {
            ServerSocket acceptor = new ServerSocket();
            acceptor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return acceptor;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
