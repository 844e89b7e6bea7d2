package io.github.zklock.benchmarks.workload;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Closes several resources, each whatever the others throw. */
final class Closeables {

    private Closeables() {}

    /** Throws the first failure, with the others as suppressed exceptions. */
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
