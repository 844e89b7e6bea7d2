package io.github.zklock.faults.cluster;

import static java.util.stream.Collectors.joining;

import io.github.zklock.faults.cluster.Interception.Phase;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.commons.io.IOUtils;
import org.apache.zookeeper.ZooDefs;
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

    private record Sent(WireRequest request, @Nullable Interception interception) {}

    private static final int EACH_ITS_OWN = -1;
    private static final long MAX_WAIT_MILLIS = 10_000;
    private static final int EVENT_XID = -1;
    private static final int LARGEST_FRAME = 64 * 1024 * 1024;
    private static final int BYTES_OF_REPLY_HEADER = 16;

    private final BiConsumer<Interception, WireRequest> observer;
    private final List<InetSocketAddress> targets;
    private final List<ServerSocket> acceptors = new ArrayList<>();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
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
        this.targets = servers.stream().map(Sockets::address).toList();
        for (InetSocketAddress target : targets) {
            ServerSocket acceptor = Sockets.listen(Sockets.ANYWHERE);
            acceptors.add(acceptor);
            start("proxy-acceptor", () -> Sockets.acceptAll(acceptor, client -> accept(client, target)));
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
        links.forEach(Link::end);
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
        acceptors.forEach(IOUtils::closeQuietly);
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

    private MessageGate gate(MessageDirection direction) {
        return Objects.requireNonNull(gates.get(direction));
    }

    private void accept(Socket client, InetSocketAddress own) throws IOException {
        int server = onlyServer;
        if (refusing) {
            client.close();
            return;
        }
        Link link = new Link(client, new Socket());
        try {
            link.server.connect(server < 0 ? own : targets.get(server), (int) TimeUnit.SECONDS.toMillis(1));
            link.server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException absent) {
            link.end();
            throw absent;
        }
        links.add(link);
        if (closed) {
            link.end();
        }
        start("proxy-requests", () -> link.carry(client, link.server, link::carryRequest, link::endRequests));
        start("proxy-replies", () -> link.carry(link.server, client, link::carryReply, link::end));
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

    /** Returns the interception that applies to this message. */
    private @Nullable Interception interceptionAt(WireRequest request) {
        lock.lock();
        try {
            Interception next = interceptions.peek();
            return next == null || !next.isAt(request) ? null : interceptions.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Triggers an interception in this phase, if there is one, and returns whether to close the connection. */
    private boolean triggers(Sent sent, Phase phase) {
        Interception interception = sent.interception();
        if (interception == null || interception.phase() != phase || interception.isDisabled()) {
            return false;
        }
        observer.accept(interception, sent.request());
        interception.trigger();
        return interception.cuts();
    }

    /*
     * Curator reads the servers' addresses from the ensemble configuration, and uses them for its next connection. It
     * ignores a configuration without entries.
     */
    private static void hideServers(WireRequest request, byte[] reply) {
        int from = BYTES_OF_REPLY_HEADER + Integer.BYTES;
        if (request.path().equals(ZooDefs.CONFIG_NODE) && reply.length > from) {
            int length = ByteBuffer.wrap(reply).getInt(BYTES_OF_REPLY_HEADER);
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

    /** Carries one frame, and returns whether to continue. */
    @FunctionalInterface
    private interface Carrier {
        boolean carry(byte[] frame, boolean first, OutputStream out) throws IOException, InterruptedException;
    }

    /** The connection of one client, frame by frame. */
    private final class Link {

        private final Socket client;
        private final Socket server;
        private final Map<Integer, Sent> unanswered = new ConcurrentHashMap<>();

        private volatile boolean clientGone;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void carry(Socket from, Socket to, Carrier carrier, Runnable ended) {
            try {
                DataInputStream in = new DataInputStream(from.getInputStream());
                OutputStream out = to.getOutputStream();
                boolean first = true;
                while (carrier.carry(frame(in), first, out)) {
                    first = false;
                }
            } catch (IOException | InterruptedException e) {
                // either side or the proxy has closed the connection
            } finally {
                ended.run();
            }
        }

        void end() {
            links.remove(this);
            IOUtils.closeQuietly(client);
            IOUtils.closeQuietly(server);
        }

        /**
         * Closes the client's side only, so that the server still reads the requests that it received, and answers
         * them.
         */
        void endRequests() {
            if (!clientGone) {
                end();
                return;
            }
            IOUtils.closeQuietly(client);
            try {
                server.shutdownOutput();
            } catch (IOException gone) {
                end();
            }
        }

        boolean carryRequest(byte[] frame, boolean first, OutputStream out) throws IOException, InterruptedException {
            WireRequest request = first ? WireRequest.CONNECT : WireRequest.parse(frame);
            Sent sent = new Sent(request, interceptionAt(request));
            unanswered.put(request.xid(), sent);
            if (triggers(sent, Phase.BEFORE_SEND)) {
                end();
                return false;
            }
            gate(MessageDirection.TO_SERVER).awaitPassage(request);
            write(frame, out);
            if (triggers(sent, Phase.AFTER_SEND)) {
                clientGone = true;
                return false;
            }
            return true;
        }

        boolean carryReply(byte[] frame, boolean first, OutputStream out) throws IOException, InterruptedException {
            int xid = first ? WireRequest.CONNECT.xid() : ByteBuffer.wrap(frame).getInt();
            Sent sent = xid == EVENT_XID ? event(frame) : answered(xid);
            listener.accept(WireReply.parse(sent.request(), frame));
            if (triggers(sent, Phase.BEFORE_REPLY)) {
                return false;
            }
            Interception interception = sent.interception();
            if (interception != null
                    && interception.phase() == Phase.AFTER_SEND
                    && interception.cuts()
                    && !interception.isDisabled()) {
                // the answer was faster than the thread that triggers the interception
                clientGone = true;
                IOUtils.closeQuietly(client);
                return true;
            }
            hideServers(sent.request(), frame);
            gate(MessageDirection.TO_CLIENT).awaitPassage(sent.request());
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
            return new Sent(event, interceptionAt(event));
        }

        private Sent answered(int xid) {
            Sent sent = unanswered.remove(xid);
            // several requests may share a number: the first answer has removed it
            return sent != null ? sent : new Sent(WireRequest.unnumbered(xid), null);
        }
    }

    /** Holds back the messages of one direction while it is shut. Thread-safe. */
    private static final class MessageGate {

        // guards: shut, passes
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition moved = lock.newCondition();
        // each lets all messages pass up to the next one that matches
        private final Deque<Predicate<WireRequest>> passes = new ArrayDeque<>();
        private boolean shut;

        /** Holds messages back from now on. */
        void shut() {
            change(() -> {
                shut = true;
                passes.clear();
            });
        }

        /** Lets messages pass until this many of them match. */
        void pass(Predicate<WireRequest> last, int count) {
            change(() -> passes.addAll(Collections.nCopies(count, last)));
        }

        void open() {
            change(() -> shut = false);
        }

        private void change(Runnable change) {
            lock.lock();
            try {
                change.run();
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /**
         * Returns when a message may pass.
         *
         * @param message the message, or the request that it answers
         */
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
