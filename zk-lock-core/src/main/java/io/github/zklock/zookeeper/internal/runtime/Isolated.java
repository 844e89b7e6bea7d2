package io.github.zklock.zookeeper.internal.runtime;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Runs actions whose exceptions must not affect other work. An Error is not caught: the loop then replaces the engine.
 * (L19, L26)
 */
public final class Isolated {

    private static final Logger LOG = EngineLog.of(Isolated.class);

    private Isolated() {}

    public static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException error) {
            LOG.error("A step of the lock engine was not completed; this is a bug of zk-lock", error);
        }
    }

    /** Runs the action for each item. An exception for one item does not affect the others. */
    public static <T> void forEach(Collection<T> items, Consumer<? super T> action) {
        for (T item : List.copyOf(items)) {
            run(() -> action.accept(item));
        }
    }
}
