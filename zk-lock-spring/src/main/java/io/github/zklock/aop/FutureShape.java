package io.github.zklock.aop;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Acquires without blocking, and holds the lock until the stage that the method has returned is complete. */
final class FutureShape implements CallShape {

    private static final Skipped SKIPPED = new Skipped(CompletableFuture.completedFuture(null));

    static boolean fits(Class<?> returnType) {
        return CompletionStage.class.isAssignableFrom(returnType)
                && returnType.isAssignableFrom(CompletableFuture.class);
    }

    @Override
    public Optional<Skipped> skipped() {
        return Optional.of(SKIPPED);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it is what the caller gets
    public @Nullable Object invoke(LockedCall call) throws Throwable {
        LockRequest request;
        try {
            request = call.request();
        } catch (IllegalArgumentException unnamed) {
            return CompletableFuture.failedFuture(unnamed);
        }
        return request == null
                ? call.proceed()
                : new FutureCall(AskedCall.ask(
                                call,
                                request,
                                key -> null,
                                call.method().surroundings().transactions().get()))
                        .begin();
    }
}
