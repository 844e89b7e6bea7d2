package com.example.ordershop.demo.process;

import com.example.ordershop.OrderShop;
import io.github.zklock.LockInspector;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Servers and shops, each in a process of its own. {@link #close()} ends all of them. Not thread-safe.
 *
 * <pre>
 * this JVM --- ServerProcess   ZooKeeper and H2, unless external servers are given
 *          |-- shop-1          started for the first scenario that needs it, and again after a kill
 *          `-- shop-2
 * </pre>
 *
 * If a child process ends unexpectedly, the scenario fails with the last output of the process, and the next scenario starts
 * the shop again. An interrupt ends the scenario. When this JVM ends, its child processes end.
 */
public final class ShopCluster implements AutoCloseable {

    /** Base path of all locks of the demonstration. */
    public static final String BASE_PATH = "/ordershop-demonstration";

    /** Logback configuration of processes without Spring Boot. */
    public static final String LOGGING = "com/example/ordershop/demo/logback.xml";

    private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ShopCluster::end, "end-clusters"));
    }

    private final Consumer<String> listener;
    private final Path folder;
    private final @Nullable ChildJvm serverProcess;
    private final Servers servers;
    private final ZooKeeperLockRegistry registry;
    private final List<Shop> shops = new ArrayList<>();
    private LocalDate lastDay;

    private ShopCluster(Consumer<String> listener, Path folder, @Nullable ChildJvm serverProcess, Servers servers) {
        this.listener = listener;
        this.folder = folder;
        this.serverProcess = serverProcess;
        this.servers = servers;
        this.registry = ZooKeeperLockRegistry.builder()
                .connectString(servers.zookeeper())
                .basePath(BASE_PATH)
                .instance("cluster")
                .build();
        // in the future, so no shop closes the day; random, because an external database may contain earlier days
        this.lastDay =
                LocalDate.of(2100, 1, 1).plusDays(ThreadLocalRandom.current().nextInt(2_000_000));
    }

    /**
     * Starts a cluster with its own servers.
     *
     * @param listener receives each event as a line of text, from several threads
     */
    public static ShopCluster open(Consumer<String> listener) throws InterruptedException {
        Path folder = newFolder();
        String password = UUID.randomUUID().toString();
        ChildJvm serverProcess = ChildJvm.start(
                "servers",
                folder,
                List.of("-Xmx192m", "-Dlogback.configurationFile=" + LOGGING, "-Dh2.bindAddress=127.0.0.1"),
                List.of(ServerProcess.class.getName(), folder.toString()),
                Map.of(ServerProcess.PASSWORD, password));
        try {
            String[] words = serverProcess
                    .awaitLine(ServerProcess.READY, "ZooKeeper and the database have started")
                    .split(" ", -1);
            Servers servers = new Servers(words[0], words[1], ServerProcess.USER, password);
            listener.accept(servers + " in " + serverProcess);
            return new ShopCluster(listener, folder, serverProcess, servers);
        } catch (InterruptedException | RuntimeException failed) {
            serverProcess.close();
            delete(folder);
            throw failed;
        }
    }

    /** Creates a cluster on external servers. */
    public static ShopCluster on(Servers servers, Consumer<String> listener) {
        listener.accept(servers.toString());
        return new ShopCluster(listener, newFolder(), null, servers);
    }

    /** Reports one event as a line of text. */
    public void report(String line) {
        listener.accept(line);
    }

    public Servers servers() {
        return servers;
    }

    /**
     * Checks that the server process runs.
     *
     * @throws ScenarioException if the server process has ended
     */
    public void check() {
        if (serverProcess != null && !serverProcess.handle().isAlive()) {
            throw new ScenarioException(
                    serverProcess + ", the process of ZooKeeper and the database, has ended. Its last output:\n"
                            + serverProcess.lastOutput());
        }
    }

    /** Reports the last output of the shops, which usually contains the cause of a failure. */
    public void reportLastOutput() {
        for (Shop shop : shops) {
            listener.accept("last output of " + shop + ":\n" + shop.process().lastOutput());
        }
    }

    /** Returns this number of running shops, and starts the missing ones at the same time. */
    public List<Shop> shops(int count) throws InterruptedException {
        List<ChildJvm> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean runs = i < shops.size() && shops.get(i).process().handle().isAlive();
            processes.add(runs ? shops.get(i).process() : start("shop-" + (i + 1)));
        }
        try {
            shops.clear();
            for (ChildJvm process : processes) {
                String address = process.awaitLine("The shop is open: ", "it is open");
                shops.add(new Shop(process, new ShopClient(process.toString(), address)));
            }
            return List.copyOf(shops);
        } catch (InterruptedException | RuntimeException failed) {
            processes.forEach(ChildJvm::close);
            throw failed;
        }
    }

    /** Returns a view of the lock queues. */
    public LockInspector inspector() {
        return registry.inspector();
    }

    /** Returns a day without orders. */
    public LocalDate newDay() {
        lastDay = lastDay.plusDays(1);
        return lastDay;
    }

    /** Returns the working directory of the child processes. */
    public Path folder() {
        return folder;
    }

    /** Returns the server process and the shops, running or not. */
    public List<ProcessHandle> processes() {
        return Stream.concat(Stream.ofNullable(serverProcess), shops.stream().map(Shop::process))
                .map(ChildJvm::handle)
                .toList();
    }

    /** Ends all child processes and deletes their files. */
    @Override
    public void close() {
        shops.forEach(shop -> shop.process().close());
        registry.close();
        if (serverProcess != null) {
            serverProcess.close();
        }
        delete(folder);
    }

    private ChildJvm start(String name) {
        ChildJvm shop = ChildJvm.start(
                name,
                folder,
                List.of("-Xms48m", "-Xmx224m"),
                List.of(
                        ExitWithParent.class.getName(),
                        OrderShop.class.getName(),
                        "--server.port=0",
                        "--spring.datasource.url=" + servers.database(),
                        "--spring.docker.compose.enabled=false",
                        "--zk.lock.connect-string=" + servers.zookeeper(),
                        "--zk.lock.base-path=" + BASE_PATH,
                        // the pause of a scenario must be longer
                        "--zk.lock.session-timeout=6s",
                        // waiters wait for the session expiry of a paused holder, and for the waiters ahead
                        "--zk.lock.wait-time=" + ChildJvm.PATIENCE.toSeconds() + "s",
                        "--ordershop.instance=" + name),
                Map.of(
                        "SPRING_DATASOURCE_USERNAME", servers.user(),
                        "SPRING_DATASOURCE_PASSWORD", servers.password()));
        listener.accept(shop + " starts");
        return shop;
    }

    private static Path newFolder() {
        try {
            Path folder = Files.createTempDirectory("ordershop-demonstration");
            FOLDERS.add(folder);
            return folder;
        } catch (IOException e) {
            throw new ScenarioException("Cannot create a temporary directory: " + e.getMessage(), e);
        }
    }

    private static void end() {
        // child processes write to these files: end them first
        ChildJvm.closeAll();
        FOLDERS.forEach(ShopCluster::delete);
    }

    /** Deletes the directory and its files, as far as possible. */
    private static void delete(Path folder) {
        FOLDERS.remove(folder);
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException stillWrittenTo) {
            // the operating system cleans its temporary directory
        }
    }
}
