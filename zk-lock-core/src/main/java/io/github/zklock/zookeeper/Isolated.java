package io.github.zklock.zookeeper;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something for each of many, so that an error with one leaves the others unharmed. (L19) */
final class Isolated {

    private static final Logger LOG = LoggerFactory.getLogger(Isolated.class);

    private Isolated() {}

    static <T> void forEach(Collection<T> items, Consumer<? super T> action) {
        for (T item : List.copyOf(items)) {
            try {
                action.accept(item);
            } catch (Throwable error) {
                LOG.error(
                        "The lock engine failed for {}; this is a bug of zk-lock, or the JVM is in trouble",
                        item,
                        error);
            }
        }
    }
}
