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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
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

    private static final long PATIENCE_MILLIS = 10_000;

    private final BiConsumer<Trap, WireRequest> witness;
    private final List<ServerSocket> doors = new ArrayList<>();
    private final Set<Exchange> exchanges = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    // guards: traps, heldBack, passing
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition resumed = lock.newCondition();
    private final Deque<Trap> traps = new ArrayDeque<>();
    private final Set<Way> heldBack = EnumSet.noneOf(Way.class);
    private final Map<Way, Integer> passing = new EnumMap<>(Way.class);

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
            doors.add(door);
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
            traps.clear();
            traps.addAll(next);
        } finally {
            lock.unlock();
        }
    }

    /** Lets messages of this way pile up here until {@link #pass}, {@link #letGo} or {@link #heal}. */
    public void holdBack(Way way) {
        lock.lock();
        try {
            heldBack.add(way);
            passing.remove(way);
        } finally {
            lock.unlock();
        }
    }

    /** Lets so many of the messages that pile up go on. */
    public void pass(Way way, int count) {
        lock.lock();
        try {
            passing.merge(way, count, Integer::sum);
            resumed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets what has piled up go on, and what comes after it. */
    public void letGo(Way way) {
        lock.lock();
        try {
            heldBack.remove(way);
            resumed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all connections; new ones are served. */
    public void cut() {
        exchanges.forEach(Exchange::end);
    }

    /** Serves no new connections until {@link #heal()}, and lets those be that there are. */
    public void refuse() {
        refusing = true;
    }

    /** Lets everything through from now on; no traps are left. */
    public void heal() {
        refusing = false;
        lock.lock();
        try {
            traps.clear();
            heldBack.clear();
            resumed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        heal();
        doors.forEach(Wiretap::closeQuietly);
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
        witness.accept(trap, request);
        trap.spring();
        return trap.cuts();
    }

    void awaitPassage(Way way) throws InterruptedException {
        lock.lock();
        try {
            while (heldBack.contains(way)) {
                int left = passing.getOrDefault(way, 0);
                if (left > 0) {
                    passing.put(way, left - 1);
                    return;
                }
                resumed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    void ended(Exchange exchange) {
        exchanges.remove(exchange);
    }

    private void admitAll(ServerSocket door, InetSocketAddress target) {
        while (!closed) {
            try {
                Socket client = door.accept();
                if (refusing) {
                    client.close();
                } else {
                    admit(client, target);
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
            closeQuietly(server);
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

    static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // it is gone, which is what was wanted
        }
    }
}
