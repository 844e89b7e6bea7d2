package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.function.Uncheck;

/**
 * A network with a namespace for each server, which loses packets as a real network does. Needs root.
 * <pre>
 *   server 1 .1 ---+
 *   server 2 .2 ---+--- bridge, in a namespace "hub" --- this machine: clients .254, the harness .253
 *   server 3 .3 ---+
 * </pre>
 * The bridge has a namespace of its own because the packet filter of the machine, such as the one that Docker
 * configures, drops packets of foreign bridges. Deleting the hub also deletes everything in it.
 */
final class Namespaces implements Network {

    private static final String PREFIX = "zk-lock-faults-";
    private static final Pattern NAME = Pattern.compile("^" + PREFIX + "(\\d+)-\\S+", Pattern.MULTILINE);
    private static final String INTERFACE = "zkf%d-%d";
    private static final AtomicInteger COUNT = new AtomicInteger();

    // reserved for benchmarks of networks (RFC 2544): not in use elsewhere
    private static final String SUBNET = "198.18.%d.";
    private static final int SUBNETS = 256;
    private static final String SERVERS = "0/29";
    private static final int CLIENTS = 254;
    private static final int HARNESS = 253;
    private static final int QUORUM_PORT = 2888;
    private static final int ELECTION_PORT = 3888;
    private static final int CLIENT_PORT = 2181;

    /*
     * A shell removes the namespaces when its input ends: when this network is closed, or when this JVM ends in any
     * way. The shell ignores signals that are sent to the process group of the harness.
     */
    private static final String GUARD = """
        trap '' INT TERM HUP
        while read -r _; do :; done
        # the kernel takes its time to remove what was in a namespace
        ip link delete "$1"; shift
        for name; do ip netns delete "$name"; done
        """;

    private final String prefix;
    private final String subnet;
    private final int servers;
    private final Process guard;

    Namespaces(int servers) {
        removeLeftovers();
        int count = COUNT.incrementAndGet();
        long pid = ProcessHandle.current().pid();
        this.prefix = PREFIX + pid + "-" + count + "-";
        this.servers = servers;
        this.subnet = freeSubnet(pid + count);
        String machine = INTERFACE.formatted(pid, count);
        this.guard = guard(machine);
        try {
            connect(machine);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns why namespaces cannot be used here; empty if they can. */
    static Optional<String> obstacle() {
        try {
            if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                return Optional.of("this is not root");
            }
            try (Namespaces attempt = new Namespaces(1)) {
                attempt.cutClients();
            }
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.of("this is not Linux");
        } catch (UncheckedIOException | IllegalStateException e) {
            return Optional.of("namespaces cannot be created: " + e.getMessage());
        }
    }

    @Override
    public Endpoint endpoint(int server) {
        InetSocketAddress address = new InetSocketAddress(host(server), CLIENT_PORT);
        List<String> launcher = List.of("ip", "netns", "exec", namespace(server));
        return new Endpoint(launcher, List.of(), address, address, inet(subnet + HARNESS));
    }

    @Override
    public String address(int from, int to) {
        return "%1$s:%2$d:%3$d;%1$s:%4$d".formatted(host(to), QUORUM_PORT, ELECTION_PORT, CLIENT_PORT);
    }

    @Override
    public void cut(int server, CutDirection direction) {
        drop(server, direction, subnet + SERVERS);
    }

    @Override
    public void cutClients() {
        all().forEach(server -> drop(server, CutDirection.BOTH, subnet + CLIENTS));
    }

    @Override
    public void heal() {
        all().forEach(server -> iptables(server, "-F"));
    }

    @Override
    public void close() {
        try {
            guard.outputWriter().close();
            guard.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drop(int server, CutDirection direction, String others) {
        if (direction.in()) {
            iptables(server, "-A INPUT -s " + others + " -j DROP");
        }
        if (direction.out()) {
            iptables(server, "-A OUTPUT -d " + others + " -j DROP");
        }
    }

    private void iptables(int server, String words) {
        ip("netns exec " + namespace(server) + " iptables -w " + words);
    }

    private static String ip(String words) {
        return SystemCommand.run(("ip " + words).split(" ", -1));
    }

    private void connect(String machine) {
        String hub = prefix + "hub";
        ip("netns add " + hub);
        ip("-n " + hub + " link add bridge type bridge");
        ip("-n " + hub + " link set bridge up");
        all().forEach(server -> {
            String namespace = namespace(server);
            String port = "server-" + server;
            ip("netns add " + namespace);
            ip("-n " + hub + " link add " + port + " type veth peer name eth0 netns " + namespace);
            ip("-n " + hub + " link set " + port + " master bridge up");
            ip("-n " + namespace + " address add " + host(server) + "/24 dev eth0");
            ip("-n " + namespace + " link set eth0 up");
            ip("-n " + namespace + " link set lo up");
        });
        ip("link add " + machine + " type veth peer name outside netns " + hub);
        ip("-n " + hub + " link set outside master bridge up");
        // the first address is the default source of connections
        ip("address add " + subnet + CLIENTS + "/24 dev " + machine);
        ip("address add " + subnet + HARNESS + "/24 dev " + machine);
        ip("link set " + machine + " up");
    }

    private Process guard(String machine) {
        Stream<String> names = Stream.concat(all().map(this::namespace), Stream.of(prefix + "hub"));
        List<String> command = Stream.concat(Stream.of("sh", "-c", GUARD, "guard", machine), names)
                .toList();
        return Uncheck.get(
                new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD)::start);
    }

    /** Removes the namespaces of a run whose shell was killed with it. */
    private static void removeLeftovers() {
        NAME.matcher(ip("netns list"))
                .results()
                .filter(name -> ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty())
                .forEach(name -> removeLeftover(name.group()));
    }

    private static void removeLeftover(String name) {
        try {
            ip("netns delete " + name);
        } catch (IllegalStateException e) {
            // the shell of a run that has just ended has removed it
        }
    }

    private static String freeSubnet(long first) {
        return IntStream.range(0, SUBNETS)
                .mapToObj(next -> SUBNET.formatted((first + next) % SUBNETS))
                .filter(Namespaces::isFree)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("All of 198.18.0.0/16 is in use on this machine"));
    }

    private static boolean isFree(String subnet) {
        return Uncheck.get(() -> NetworkInterface.getByInetAddress(inet(subnet + CLIENTS)) == null);
    }

    private Stream<Integer> all() {
        return IntStream.range(0, servers).boxed();
    }

    private String namespace(int server) {
        return prefix + (server + 1);
    }

    private String host(int server) {
        return subnet + (server + 1);
    }

    private static InetAddress inet(String address) {
        return Uncheck.get(() -> InetAddress.getByName(address));
    }
}
