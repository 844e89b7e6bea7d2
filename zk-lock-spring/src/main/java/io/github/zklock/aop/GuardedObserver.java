package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what an observer throws away from the call that it observes. */
final class GuardedObserver implements CallObserver.Observed {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedObserver.class);

    private final CallObserver.Observed observed;

    private GuardedObserver(CallObserver.Observed observed) {
        this.observed = observed;
    }

    static CallObserver.Observed begin(
            CallObserver observer,
            LockedMethod method,
            LockRequest request,
            Function<Object, @Nullable Object> carried) {
        LockSpec first = method.locks().get(0);
        CallObserver.Call call = new CallObserver.Call(
                method.template(), request.names(), first.mode(), first.permits(), first.registryName());
        return new GuardedObserver(guarded(() -> observer.begin(call, carried), CallObserver.Observed.NOTHING));
    }

    @Override
    public void refused(Throwable reason) {
        guarded(() -> observed.refused(reason));
    }

    @Override
    public void acquired(LockHandle handle) {
        guarded(() -> observed.acquired(handle));
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        guarded(() -> observed.ended(failure));
    }

    @Override
    public CallObserver.Scope open() {
        CallObserver.Scope scope = guarded(observed::open, () -> {});
        return () -> guarded(scope::close);
    }

    @Override
    public Map<Object, Object> carried() {
        return guarded(observed::carried, Map.of());
    }

    private static void guarded(Runnable notice) {
        guarded(
                () -> {
                    notice.run();
                    return Boolean.TRUE;
                },
                Boolean.FALSE);
    }

    private static <T> T guarded(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (Throwable broken) {
            // an Error of theirs must not cost a lock either
            LOG.warn("An observer of locked calls failed; the call goes on", broken);
            return otherwise;
        }
    }
}
