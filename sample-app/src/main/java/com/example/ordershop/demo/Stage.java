package com.example.ordershop.demo;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers and shops in processes of their own. Whatever it has started ends with it; not for several threads.
 *
 * <pre>
 * this JVM --- Backstage   ZooKeeper and H2, unless servers are given; outlives the shops
 *          |-- shop-1      started when a scenario wants shops, and again after one that has killed it
 *          |-- shop-2
 *          `-- a queue of ten clients, while that scenario plays
 * </pre>
 *
 * A child that ends by itself is told of by whoever waits for it or asks it, with its last words; the scenario has then
 * failed, and the next one starts the shop anew. An interrupt ends the scenario. When this JVM ends, so do the children.
 */
final class Stage implements AutoCloseable {

    /** Where all locks of the demonstration are. */
    static final String BASE_PATH = "/ordershop-demonstration";

    /** A pause has to outlive it. */
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    private final Audience audience;
    private final StageFolder folder;
    private final @Nullable ChildJvm backstage;
    private final Servers servers;
    private final ZooKeeperLockRegistry registry;
    private final List<ShopProcess> shops = new ArrayList<>();
    private LocalDate lastDay;

    private Stage(Audience audience, StageFolder folder, @Nullable ChildJvm backstage, Servers servers) {
        this.audience = audience;
        this.folder = folder;
        this.backstage = backstage;
        this.servers = servers;
        this.registry = ZooKeeperLockRegistry.builder()
                .connectString(servers.zookeeper())
                .basePath(BASE_PATH)
                .instance("stage")
                .build();
        // in the future, so that no shop closes it; not the same in a database that has seen a demonstration before
        this.lastDay =
                LocalDate.of(2100, 1, 1).plusDays(ThreadLocalRandom.current().nextInt(2_000_000));
    }

    /** A stage with servers of its own. */
    static Stage open(Audience audience) throws InterruptedException {
        StageFolder folder = StageFolder.create();
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        String password = HexFormat.of().formatHex(secret);
        CompletableFuture<String> ready = new CompletableFuture<>();
        ChildJvm backstage = ChildJvm.start(
                "backstage",
                folder.path(),
                List.of("-Xmx192m", "-Dlogback.configurationFile=" + Demo.LOGGING, "-Dh2.bindAddress=127.0.0.1"),
                List.of(Backstage.class.getName(), folder.path().toString()),
                Map.of(Backstage.PASSWORD, password),
                line -> {
                    if (line.startsWith(Backstage.READY)) {
                        ready.complete(line);
                    }
                });
        try {
            backstage.await("ZooKeeper and the database have started", ready::isDone);
            String[] words = ready.join().split(" ", -1);
            Servers servers = new Servers(words[1], words[2], Backstage.USER, password);
            audience.line(servers + " in " + backstage);
            return new Stage(audience, folder, backstage, servers);
        } catch (InterruptedException | RuntimeException failed) {
            backstage.close();
            folder.close();
            throw failed;
        }
    }

    /** A stage on servers that somebody else runs. */
    static Stage on(Servers servers, Audience audience) {
        audience.line(servers.toString());
        return new Stage(audience, StageFolder.create(), null, servers);
    }

    Audience audience() {
        return audience;
    }

    /** @throws StageException if the servers are gone */
    void check() {
        if (backstage != null && !backstage.isAlive()) {
            throw new StageException(
                    backstage + ", the process of ZooKeeper and the database, has ended. Its last words:\n"
                            + backstage.lastWords());
        }
    }

    /** Tells what the shops said last, which is mostly why something went wrong. */
    void tellLastWords() {
        for (ShopProcess shop : shops) {
            audience.line("last words of " + shop + ":\n" + shop.lastWords());
        }
    }

    /** So many open shops, of which those that are not there are started. */
    List<ShopProcess> shops(int count) throws InterruptedException {
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

    /** What everybody can see of the queues. */
    LockInspector inspector() {
        return registry.inspector();
    }

    /** One on which nothing was sold yet. */
    LocalDate newDay() {
        lastDay = lastDay.plusDays(1);
        return lastDay;
    }

    Servers servers() {
        return servers;
    }

    /** Where children may write. */
    Path folder() {
        return folder.path();
    }

    /** All processes that it has started and that count, alive or not. */
    List<ProcessHandle> processes() {
        Stream<ProcessHandle> servers = Stream.ofNullable(backstage).map(ChildJvm::handle);
        return Stream.concat(servers, shops.stream().map(ShopProcess::handle)).toList();
    }

    /** Ends all that it has started. */
    @Override
    public void close() {
        shops.forEach(ShopProcess::close);
        registry.close();
        if (backstage != null) {
            backstage.close();
        }
        folder.close();
    }

    private ShopProcess start(int index) {
        ShopProcess shop = ShopProcess.start("shop-" + (index + 1), folder.path(), servers, BASE_PATH, SESSION_TIMEOUT);
        audience.line(shop + " starts");
        return shop;
    }
}
