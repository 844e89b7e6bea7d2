package io.github.zklock.aop;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Makes the current thread, until closed, one that has opened scopes of these handles: it re-enters their locks. */
final class CarriedScopes implements AutoCloseable {

    private final Deque<LockContext.Scope> scopes = new ArrayDeque<>();

    private CarriedScopes() {}

    static CarriedScopes open(List<LockHandle> handles) {
        CarriedScopes opened = new CarriedScopes();
        handles.forEach(handle -> opened.scopes.push(LockContext.open(handle)));
        return opened;
    }

    @Override
    public void close() {
        scopes.forEach(LockContext.Scope::close);
    }
}
