package com.example.ordershop.demo.process;

import io.github.zklock.LockInspector;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers and shops, each in a process of its own. {@link #close()} ends all of them. Not thread-safe.
 *
 * <pre>
 * this JVM --- ServerProcess   ZooKeeper and H2, unless external servers are given
 *          |-- shop-1          started for the first scenario that needs it, and again after a kill
 *          |-- shop-2
 *          `-- QueueClients    during the scenario with ten clients
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

    /** Session timeout of the shops. A pause must be longer. */
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    private final ProgressListener listener;
    private final TemporaryFolder folder;
    private final @Nullable ChildJvm serverProcess;
    private final Servers servers;
    private final ZooKeeperLockRegistry registry;
    private final List<ShopProcess> shops = new ArrayList<>();
    private LocalDate lastDay;

    private ShopCluster(
            ProgressListener listener, TemporaryFolder folder, @Nullable ChildJvm serverProcess, Servers servers) {
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

    /** Starts a cluster with its own servers. */
    public static ShopCluster open(ProgressListener listener) throws InterruptedException {
        TemporaryFolder folder = TemporaryFolder.create();
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        String password = HexFormat.of().formatHex(secret);
        CompletableFuture<String> ready = new CompletableFuture<>();
        ChildJvm serverProcess = ChildJvm.start(
                "servers",
                folder.path(),
                List.of("-Xmx192m", "-Dlogback.configurationFile=" + LOGGING, "-Dh2.bindAddress=127.0.0.1"),
                List.of(ServerProcess.class.getName(), folder.path().toString()),
                Map.of(ServerProcess.PASSWORD, password),
                line -> {
                    if (line.startsWith(ServerProcess.READY)) {
                        ready.complete(line);
                    }
                });
        try {
            serverProcess.await("ZooKeeper and the database have started", ready::isDone);
            String[] words = ready.join().split(" ", -1);
            Servers servers = new Servers(words[1], words[2], ServerProcess.USER, password);
            listener.line(servers + " in " + serverProcess);
            return new ShopCluster(listener, folder, serverProcess, servers);
        } catch (InterruptedException | RuntimeException failed) {
            serverProcess.close();
            folder.close();
            throw failed;
        }
    }

    /** Creates a cluster on external servers. */
    public static ShopCluster on(Servers servers, ProgressListener listener) {
        listener.line(servers.toString());
        return new ShopCluster(listener, TemporaryFolder.create(), null, servers);
    }

    public ProgressListener listener() {
        return listener;
    }

    /**
     * Checks that the server process runs.
     *
     * @throws ScenarioException if the server process has ended
     */
    public void check() {
        if (serverProcess != null && !serverProcess.isAlive()) {
            throw new ScenarioException(
                    serverProcess + ", the process of ZooKeeper and the database, has ended. Its last output:\n"
                            + serverProcess.lastOutput());
        }
    }

    /** Reports the last output of the shops, which usually contains the cause of a failure. */
    public void reportLastOutput() {
        for (ShopProcess shop : shops) {
            listener.line("last output of " + shop + ":\n" + shop.lastOutput());
        }
    }

    /** Returns this number of running shops, and starts the missing ones. */
    public List<ShopProcess> shops(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            if (i == shops.size()) {
                shops.add(start(i));
            } else if (!shops.get(i).isAlive()) {
                shops.set(i, start(i));
            }
        }
        List<ShopProcess> wanted = List.copyOf(shops.subList(0, count));
        for (ShopProcess shop : wanted) {
            shop.awaitOpen();
        }
        return wanted;
    }

    /** Starts a process with this main class, which ends with this JVM. */
    public ChildJvm start(String name, Class<?> main, List<String> arguments, Consumer<String> output) {
        List<String> mainAndArguments = new ArrayList<>(List.of(ExitWithParent.class.getName(), main.getName()));
        mainAndArguments.addAll(arguments);
        return ChildJvm.start(
                name,
                folder.path(),
                List.of("-Xmx96m", "-Dlogback.configurationFile=" + LOGGING),
                mainAndArguments,
                Map.of(),
                output);
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

    public Servers servers() {
        return servers;
    }

    /** Returns the working directory of the child processes. */
    public Path folder() {
        return folder.path();
    }

    /** Returns the server process and the shops, running or not. */
    public List<ProcessHandle> processes() {
        Stream<ProcessHandle> servers = Stream.ofNullable(serverProcess).map(ChildJvm::handle);
        return Stream.concat(servers, shops.stream().map(ShopProcess::handle)).toList();
    }

    /** Ends all child processes and deletes their files. */
    @Override
    public void close() {
        shops.forEach(ShopProcess::close);
        registry.close();
        if (serverProcess != null) {
            serverProcess.close();
        }
        folder.close();
    }

    private ShopProcess start(int index) {
        ShopProcess shop = ShopProcess.start("shop-" + (index + 1), folder.path(), servers, BASE_PATH, SESSION_TIMEOUT);
        listener.line(shop + " starts");
        return shop;
    }
}
