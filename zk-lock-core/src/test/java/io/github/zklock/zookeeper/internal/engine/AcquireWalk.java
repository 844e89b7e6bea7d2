package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.RealServer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;

/** Tells which methods of the engine an acquisition enters, on whatever threads. */
public final class AcquireWalk {

    private static final int WARM_UP = 20;
    private static final int WALKS = 20;
    /** Time for what the engine does after it has told the caller. */
    private static final Duration AFTERWARDS = Duration.ofMillis(20);

    private static final Queue<String> ENTERED = new ConcurrentLinkedQueue<>();
    private static volatile boolean recording;

    private AcquireWalk() {}

    /**
     * Each method of the engine that one acquisition of a free lock enters, as {@code Class.method}, in order, and those that the
     * engine enters once the caller has the lock. An acquisition during which the engine did something else as well is left out: the
     * shortest of some counts.
     */
    static List<String> ofAFreeLock(String connectString) throws Exception {
        try (ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                .connectString(connectString)
                .sessionTimeout(Duration.ofMinutes(10))
                .build()) {
            for (int i = 0; i < WARM_UP; i++) {
                RealServer.giveBack(registry.lock("/walked").acquire());
            }
            List<List<String>> walks = new ArrayList<>();
            for (int i = 0; i < WALKS; i++) {
                ENTERED.clear();
                recording = true;
                LockHandle handle = registry.lock("/walked").acquire();
                Thread.sleep(AFTERWARDS.toMillis());
                recording = false;
                walks.add(List.copyOf(ENTERED));
                RealServer.giveBack(handle);
            }
            return walks.stream().min(Comparator.comparing(List::size)).orElseThrow();
        }
    }

    /** Called by each method of the engine. */
    public static void enter(String method) {
        if (recording) {
            ENTERED.add(method);
        }
    }

    /** Loads the engine so that each of its methods says that it was entered. */
    static final class Loader extends WovenEngine {

        Loader() {
            super("acquire-walk");
        }

        @Override
        protected ClassVisitor weaver(String simpleName, ClassWriter writer) {
            return entries(simpleName, writer, AcquireWalk.class);
        }
    }
}
