package io.github.zklock.benchmarks.workload;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The end of several, each of which is closed whatever becomes of the others. */
final class Closeables {

    private Closeables() {}

    /** Throws what the first one threw that failed, with what the others did. */
    static void closeAll(Stream<? extends AutoCloseable> open) throws Exception {
        @Nullable Exception failure = null;
        for (AutoCloseable one : open.toList()) {
            try {
                one.close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
