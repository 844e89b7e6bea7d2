package io.github.zklock.zookeeper;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * A process of its own that works under a lock while its JVM ends: a shutdown hook is the worker, and goes on until it is
 * told to stop. It prints one word a line: HELD, CLOSED once its registry rejects requests, and at last the state of its
 * handle.
 */
final class ExitingHolder {

    private static final Duration SESSION = Duration.ofSeconds(6);

    private ExitingHolder() {}

    /**
     * Acquires the lock and waits for the end of the JVM.
     *
     * @param args the servers, and the name of the lock
     */
    public static void main(String[] args) throws Exception {
        ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                .connectString(args[0])
                .sessionTimeout(SESSION)
                .build();
        LockHandle handle = registry.lock(args[1]).acquire();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            awaitClosed(registry, args[1] + "-other");
            say("CLOSED");
            try {
                orders.readLine();
            } catch (IOException e) {
                say("ORPHANED");
            }
            say(handle.state().name());
        }));
        say("HELD");
        Thread.currentThread().join();
    }

    private static void awaitClosed(ZooKeeperLockRegistry registry, String other) {
        Awaitility.await().forever().until(() -> {
            try {
                registry.lock(other).tryAcquire().ifPresent(LockHandle::close);
                return false;
            } catch (LockRegistryClosedException closed) {
                return true;
            }
        });
    }

    private static void say(String word) {
        System.out.println(word);
        System.out.flush();
    }
}
