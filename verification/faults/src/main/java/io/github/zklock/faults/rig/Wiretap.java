package io.github.zklock.faults.rig;

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
 * The way from clients to the servers, on which everything that they say is listened to, and {@link Trap}s are laid. It
 * has a door for each server, so that clients find another one by themselves if theirs is gone, and it hides all other
 * ways. Thread-safe.
 */
public final class Wiretap implements AutoCloseable {

    /** Which way a message goes. */
    public enum Way {
        TO_SERVER,
        TO_CLIENT
    }

    private static final int EACH_ITS_OWN = -1;
    private static final long PATIENCE_MILLIS = 10_000;

    private final BiConsumer<Trap, WireRequest> witness;
    private final List<InetSocketAddress> targets = new ArrayList<>();
    private final List<ServerSocket> doors = new ArrayList<>();
    private final Set<Exchange> exchanges = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    private final Map<Way, Sluice> sluices = Map.of(Way.TO_SERVER, new Sluice(), Way.TO_CLIENT, new Sluice());

    // guards: laid, traps
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Trap> laid = new ArrayList<>();
    private final Deque<Trap> traps = new ArrayDeque<>();

    /** The server to which all doors lead; negative if each leads to its own. */
    private volatile int only = EACH_ITS_OWN;

    private volatile Consumer<WireReply> listener = reply -> {};
    private volatile boolean refusing;
    private volatile boolean closed;

    /**
     * @param servers each with host and port
     * @param witness is told of each trap at the moment before it springs
     */
    public Wiretap(List<String> servers, BiConsumer<Trap, WireRequest> witness) {
        this.witness = witness;
        for (String server : servers) {
            int colon = server.lastIndexOf(':');
            InetSocketAddress target =
                    new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
            ServerSocket door = door();
            targets.add(target);
            doors.add(door);
        }
        for (int server = 0; server < doors.size(); server++) {
            ServerSocket door = doors.get(server);
            InetSocketAddress target = targets.get(server);
            start("wiretap-door", () -> admitAll(door, target));
        }
    }

    /** What clients have to know; in the order of the servers. */
    public String connectString() {
        return doors.stream().map(door -> "127.0.0.1:" + door.getLocalPort()).collect(joining(","));
    }

    /** Lays these, each when the one before it has sprung; those laid before are taken away. */
    public void lay(List<Trap> next) {
        lock.lock();
        try {
            laid.forEach(Trap::disarm);
            laid.clear();
            laid.addAll(next);
            traps.clear();
            traps.addAll(next);
        } finally {
            lock.unlock();
        }
    }

    /** Lets messages of this way pile up here until {@link #pass}, {@link #letGo} or {@link #heal}. */
    public void holdBack(Way way) {
        sluice(way).shut();
    }

    /** Lets so many of those go on that are about this, or that answer it, and whatever comes before the last of them. */
    public void pass(Way way, Trap.What what, int count) {
        sluice(way).pass(what::is, count);
    }

    /** Lets what has piled up go on, and what comes after it. */
    public void letGo(Way way) {
        sluice(way).open();
    }

    /** Ends all connections; new ones are served. */
    public void cut() {
        exchanges.forEach(Exchange::end);
    }

    /** Serves no new connections until {@link #heal()}, and lets those be that there are. */
    public void refuse() {
        refusing = true;
    }

    /**
     * Leads new connections to one server until {@link #heal()}, by whichever door they come, and leaves the present
     * connections as they are.
     *
     * @param server its place in the list of servers, from 0 on
     */
    public void leadTo(int server) {
        only = server;
    }

    /** Calls this with each reply of a server before the client receives the reply. */
    public void listen(Consumer<WireReply> to) {
        listener = to;
    }

    void heard(WireReply reply) {
        listener.accept(reply);
    }

    /** Lets everything through from now on; no traps are left. */
    public void heal() {
        refusing = false;
        only = EACH_ITS_OWN;
        lay(List.of());
        sluices.values().forEach(Sluice::open);
    }

    @Override
    public void close() {
        closed = true;
        heal();
        doors.forEach(Quietly::close);
        cut();
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join(PATIENCE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The trap for which this message is the spot. */
    @Nullable Trap trapAt(WireRequest request) {
        lock.lock();
        try {
            Trap next = traps.peek();
            if (next == null || !next.isAt(request)) {
                return null;
            }
            return traps.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the connection is to be cut. */
    boolean springs(Trap trap, WireRequest request) {
        if (trap.isDisarmed()) {
            return false;
        }
        witness.accept(trap, request);
        trap.spring();
        return trap.cuts();
    }

    /** @param message what goes that way, or what it answers */
    void awaitPassage(Way way, WireRequest message) throws InterruptedException {
        sluice(way).awaitPassage(message);
    }

    private Sluice sluice(Way way) {
        return Objects.requireNonNull(sluices.get(way));
    }

    void ended(Exchange exchange) {
        exchanges.remove(exchange);
    }

    private void admitAll(ServerSocket door, InetSocketAddress own) {
        while (!closed) {
            try {
                Socket client = door.accept();
                int server = only;
                if (refusing) {
                    client.close();
                } else {
                    admit(client, server < 0 ? own : targets.get(server));
                }
            } catch (IOException e) {
                // the door was closed, or the server is not there: the client sees its connection end
            }
        }
    }

    private void admit(Socket client, InetSocketAddress target) throws IOException {
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
        Exchange exchange = new Exchange(this, client, server);
        exchanges.add(exchange);
        if (closed) {
            exchange.end();
        }
        start("wiretap-requests", exchange::carryRequests);
        start("wiretap-replies", exchange::carryReplies);
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

    private static ServerSocket door() {
        try {
            ServerSocket door = new ServerSocket();
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
