package com.example.ordershop.demo.process;

import com.example.ordershop.OrderShop;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A shop in a process of its own, which can be paused and killed. */
public final class ShopProcess implements AutoCloseable {

    /** Prefix of the last line of a successful start. */
    private static final String OPEN = "The shop is open: ";

    private final ChildJvm jvm;
    private final AtomicReference<@Nullable ShopClient> client;

    private ShopProcess(ChildJvm jvm, AtomicReference<@Nullable ShopClient> client) {
        this.jvm = jvm;
        this.client = client;
    }

    /** Starts a shop on a free port and does not wait for the end of the start. */
    static ShopProcess start(String name, Path folder, Servers servers, String basePath, Duration sessionTimeout) {
        AtomicReference<@Nullable ShopClient> client = new AtomicReference<>();
        ChildJvm jvm = ChildJvm.start(
                name,
                folder,
                List.of("-Xms48m", "-Xmx224m"),
                List.of(
                        ExitWithParent.class.getName(),
                        OrderShop.class.getName(),
                        "--server.port=0",
                        "--spring.datasource.url=" + servers.database(),
                        "--spring.docker.compose.enabled=false",
                        "--zk.lock.embedded.enabled=false",
                        "--zk.lock.connect-string=" + servers.zookeeper(),
                        "--zk.lock.base-path=" + basePath,
                        "--zk.lock.session-timeout=" + sessionTimeout.toMillis() + "ms",
                        // waiters wait for the session expiry of a paused holder, and for the waiters ahead
                        "--zk.lock.wait-time=" + ChildJvm.PATIENCE.toSeconds() + "s",
                        "--ordershop.instance=" + name,
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

    /** Waits for the end of the start. */
    void awaitOpen() throws InterruptedException {
        await("it is open", () -> client.get() != null);
    }

    /** Waits until the condition holds; fails if this shop ends before. */
    public void await(String fact, ChildJvm.Condition condition) throws InterruptedException {
        jvm.await(fact, condition);
    }

    public ShopClient client() {
        ShopClient open = client.get();
        if (open == null) {
            throw new IllegalStateException(this + " is not open yet");
        }
        return open;
    }

    public long pid() {
        return jvm.pid();
    }

    ProcessHandle handle() {
        return jvm.handle();
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    /** Pauses the process (SIGSTOP). */
    public Pause pause() {
        return Pause.of(pid());
    }

    /** Kills the process (SIGKILL). */
    @Override
    public void close() {
        jvm.close();
    }

    String lastOutput() {
        return jvm.lastOutput();
    }

    @Override
    public String toString() {
        return jvm.toString();
    }
}
