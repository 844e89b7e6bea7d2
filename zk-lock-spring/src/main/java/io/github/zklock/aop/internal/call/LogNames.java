package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
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

    LogNames(LockRequest request, Handle handle) {
        MDC.put(NAME, request.described());
        if (handle.parts().size() == 1) {
            MDC.put(TOKEN, handle.parts().get(0).fencingToken().toString());
        } else {
            MDC.remove(TOKEN);
        }
    }

    @Override
    public void close() {
        if (outerName == null) {
            MDC.remove(NAME);
        } else {
            MDC.put(NAME, outerName);
        }
        if (outerToken == null) {
            MDC.remove(TOKEN);
        } else {
            MDC.put(TOKEN, outerToken);
        }
    }
}
