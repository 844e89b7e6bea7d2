package io.github.zklock.aop.internal.call;

import io.github.zklock.LockHandle;
import io.github.zklock.aop.internal.declaration.LockRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds the name and the token of the innermost lock to the log context (MDC) of the current thread, until it is closed.
 */
final class LogNames implements AutoCloseable {

    private static final String NAME = "zklock.name";
    private static final String TOKEN = "zklock.token";

    private final @Nullable String outerName = MDC.get(NAME);
    private final @Nullable String outerToken = MDC.get(TOKEN);

    LogNames(LockRequest request, LockHandle handle) {
        MDC.put(NAME, request.described());
        if (request.names().size() == 1) {
            MDC.put(TOKEN, handle.fencingToken().toString());
        } else {
            MDC.remove(TOKEN);
        }
    }

    @Override
    public void close() {
        restore(NAME, outerName);
        restore(TOKEN, outerToken);
    }

    private static void restore(String key, @Nullable String outer) {
        if (outer == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, outer);
        }
    }
}
