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
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between clients and servers that reads all messages and applies {@link Interception}s. It has a port for each
 * server, so that a client fails over by itself, and it hides the servers' own addresses. Thread-safe.
 */
public final class InterceptingProxy implements AutoCloseable {

    /** The direction of a message. */
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

    // guards: installed, interceptions
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Interception> installed = new ArrayList<>();
    private final Deque<Interception> interceptions = new ArrayDeque<>();

    /** The server to which all ports lead; negative if each leads to its own. */
    private volatile int onlyServer = EACH_ITS_OWN;

    private volatile Consumer<WireReply> listener = reply -> {};
    private volatile boolean refusing;
    private volatile boolean closed;

    /**
     * @param servers host and port of each
     * @param observer is called before each interception triggers
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

    /** Returns the connect string for clients, in the order of the servers. */
    public String connectString() {
        return acceptors.stream()
                .map(acceptor -> "127.0.0.1:" + acceptor.getLocalPort())
                .collect(joining(","));
    }

    /**
     * Installs interceptions, each of which applies after the one before it has triggered. Removes those installed
     * before.
     */
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

    /** Holds the messages of a direction back until {@link #pass}, {@link #resume} or {@link #heal}. */
    public void holdBack(MessageDirection direction) {
        gate(direction).shut();
    }

    /** Lets held messages pass until this many of them are requests of this kind, or replies to such requests. */
    public void pass(MessageDirection direction, Interception.Target target, int count) {
        gate(direction).pass(target::is, count);
    }

    /** Lets all held messages pass, and those after them. */
    public void resume(MessageDirection direction) {
        gate(direction).open();
    }

    /** Closes all connections; new ones are served. */
    public void cut() {
        connections.forEach(ProxyConnection::end);
    }

    /** Rejects new connections until {@link #heal()}; present ones continue. */
    public void refuseConnections() {
        refusing = true;
    }

    /**
     * Connects new clients to one server until {@link #heal()}, whichever port they use; present connections continue.
     *
     * @param server its index in the list of servers
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

    /** Lets everything pass from now on, and removes all interceptions. */
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

    /** Returns the interception that applies to this message. */
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

    /** Triggers an interception, and returns whether to close the connection. */
    boolean triggers(Interception interception, WireRequest request) {
        if (interception.isDisabled()) {
            return false;
        }
        observer.accept(interception, request);
        interception.trigger();
        return interception.cuts();
    }

    /** @param message the message, or the request that it answers */
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
                // the port was closed, or the server is down: the client's connection is closed
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

    /** Holds back the messages of one direction while it is shut. Thread-safe. */
    static final class MessageGate {

        // guards: shut, passes
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition moved = lock.newCondition();
        // each lets all messages pass up to the next one that matches
        private final Deque<Predicate<WireRequest>> passes = new ArrayDeque<>();
        private boolean shut;

        /** Holds messages back from now on. */
        void shut() {
            lock.lock();
            try {
                shut = true;
                passes.clear();
            } finally {
                lock.unlock();
            }
        }

        /** Lets messages pass until this many of them match. */
        void pass(Predicate<WireRequest> last, int count) {
            lock.lock();
            try {
                passes.addAll(Collections.nCopies(count, last));
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void open() {
            lock.lock();
            try {
                shut = false;
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Returns when this message may pass. */
        void awaitPassage(WireRequest message) throws InterruptedException {
            lock.lock();
            try {
                while (shut) {
                    Predicate<WireRequest> pass = passes.peek();
                    if (pass != null) {
                        if (pass.test(message)) {
                            passes.remove();
                        }
                        return;
                    }
                    moved.await();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
