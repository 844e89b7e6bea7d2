package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open holds around a call, innermost last. */
record Enclosing(List<LockHandle> handles) {

    static Enclosing ofThread() {
        return new Enclosing(LockContext.current());
    }

    /** Returns the handle that the method receives: for a nested call, the handle of the call around it. */
    Handle shown(Handle granted) {
        LockHandle outer =
                granted.parts().size() == 1 ? sameOwnership(granted.parts().get(0)) : null;
        return outer == null ? granted : outer;
    }

    /**
     * Returns whether each part of the granted handle was already held, so that the call re-enters the call around it.
     */
    boolean holdAll(Handle granted) {
        return granted.parts().stream().noneMatch(part -> sameOwnership(part) == null);
    }

    private @Nullable LockHandle sameOwnership(LockHandle granted) {
        for (int i = handles.size() - 1; i >= 0; i--) {
            LockHandle outer = handles.get(i);
            if (outer.name().equals(granted.name()) && outer.fencingToken().equals(granted.fencingToken())) {
                return outer;
            }
        }
        return null;
    }
}
