package com.example.ordershop.demo;

import com.example.ordershop.OrderShop;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A shop in a process of its own, which can be stopped and killed. */
final class ShopProcess implements AutoCloseable {

    /** How its output says that it is there. */
    private static final String OPEN = "The shop is open: ";

    private final ChildJvm jvm;
    private final AtomicReference<@Nullable ShopClient> client;

    private ShopProcess(ChildJvm jvm, AtomicReference<@Nullable ShopClient> client) {
        this.jvm = jvm;
        this.client = client;
    }

    /** Starts one on any port, and does not wait for it. */
    static ShopProcess start(String name, Path folder, Servers servers, String basePath, Duration sessionTimeout) {
        AtomicReference<@Nullable ShopClient> client = new AtomicReference<>();
        ChildJvm jvm = ChildJvm.start(
                name,
                folder,
                List.of("-Xms48m", "-Xmx160m"),
                List.of(
                        Leash.class.getName(),
                        OrderShop.class.getName(),
                        "--server.port=0",
                        "--spring.datasource.url=" + servers.database(),
                        "--spring.docker.compose.enabled=false",
                        "--zk.lock.embedded.enabled=false",
                        "--zk.lock.connect-string=" + servers.zookeeper(),
                        "--zk.lock.base-path=" + basePath,
                        "--zk.lock.session-timeout=" + sessionTimeout.toMillis() + "ms",
                        // who waits for a stopped shop waits for the end of its session, and for those in front
                        "--zk.lock.wait-time=" + ChildJvm.PATIENCE.toSeconds() + "s",
                        "--ordershop.instance=" + name,
                        "--ordershop.gate=true",
                        "--ordershop.demonstration=false"),
                Map.of(
                        "SPRING_DATASOURCE_USERNAME", servers.user(),
                        "SPRING_DATASOURCE_PASSWORD", servers.password()),
                line -> {
                    if (line.startsWith(OPEN)) {
                        client.set(new ShopClient(
                                name, URI.create(line.substring(OPEN.length()).strip())));
                    }
                });
        return new ShopProcess(jvm, client);
    }

    /** Waits until customers are let in. */
    void awaitOpen() throws InterruptedException {
        await("it is open", () -> client.get() != null);
    }

    /** Waits for this fact, but not longer than this shop lives. */
    void await(String fact, ChildJvm.Fact asked) throws InterruptedException {
        jvm.await(fact, asked);
    }

    ShopClient client() {
        ShopClient open = client.get();
        if (open == null) {
            throw new IllegalStateException(this + " is not open yet");
        }
        return open;
    }

    long pid() {
        return jvm.pid();
    }

    ProcessHandle handle() {
        return jvm.handle();
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    /** Stops it where it stands. */
    Pause pause() {
        return Pause.of(pid());
    }

    /** Kills it, without a word to anybody. */
    @Override
    public void close() {
        jvm.close();
    }

    String lastWords() {
        return jvm.lastWords();
    }

    @Override
    public String toString() {
        return jvm.toString();
    }
}
