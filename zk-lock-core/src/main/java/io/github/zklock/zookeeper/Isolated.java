package io.github.zklock.zookeeper;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;

/** Does what may fail so that nothing else is harmed. An Error goes on to the loop, which replaces the engine. (L19, L26) */
final class Isolated {

    private static final Logger LOG = EngineLog.of(Isolated.class);

    private Isolated() {}

    static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException error) {
            LOG.error("The lock engine failed; this is a bug of zk-lock", error);
        }
    }

    /** An exception with one leaves the others unharmed. */
    static <T> void forEach(Collection<T> items, Consumer<? super T> action) {
        for (T item : List.copyOf(items)) {
            run(() -> action.accept(item));
        }
    }
}
