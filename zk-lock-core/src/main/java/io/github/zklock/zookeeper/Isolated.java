package io.github.zklock.zookeeper;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what may fail so that nothing else is harmed. (L19) */
final class Isolated {

    private static final Logger LOG = LoggerFactory.getLogger(Isolated.class);

    private Isolated() {}

    static void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable error) {
            report(error);
        }
    }

    /** An error with one leaves the others unharmed. */
    static <T> void forEach(Collection<T> items, Consumer<? super T> action) {
        for (T item : List.copyOf(items)) {
            run(() -> action.accept(item));
        }
    }

    private static void report(Throwable error) {
        try {
            LOG.error("The lock engine failed; this is a bug of zk-lock, or the JVM is in trouble", error);
        } catch (Throwable evenThat) {
            // what comes after is worth more than the message
            return;
        }
    }
}
