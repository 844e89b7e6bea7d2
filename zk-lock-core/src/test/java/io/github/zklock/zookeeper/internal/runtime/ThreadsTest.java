package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThreadsTest {

    private record Seen(
            @Nullable ClassLoader loader,
            int priority,
            @Nullable String inherited) {}

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // what must not be inherited has to be set
    void poolThreadsTakeNothingFromTheCallerWhoMakesThem() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        CompletableFuture<Seen> seen = new CompletableFuture<>();
        Threads threads = new Threads("plain");
        try (URLClassLoader ofCaller = new URLClassLoader(new URL[0])) {
            Thread caller = new Thread(() -> {
                local.set("of the caller");
                threads.callbacks()
                        .execute(() -> seen.complete(new Seen(
                                Thread.currentThread().getContextClassLoader(),
                                Thread.currentThread().getPriority(),
                                local.get())));
            });
            caller.setContextClassLoader(ofCaller);
            caller.setPriority(Thread.MAX_PRIORITY);
            caller.start();

            assertThat(seen.get()).isEqualTo(new Seen(Threads.class.getClassLoader(), Thread.NORM_PRIORITY, null));
            caller.join();
        } finally {
            threads.shutDown();
        }
    }
}
