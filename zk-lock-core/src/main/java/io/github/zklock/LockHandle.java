package io.github.zklock;

import java.util.List;

/** The handle of a single lock, with the token of its grant. */
public interface LockHandle extends Handle {

    /** Returns the canonical name of the lock. */
    LockName name();

    /** Returns the kind of access that was granted. */
    LockKind kind();

    /**
     * Returns the token of this grant. It is higher than the token of each earlier exclusive or write grant of the same
     * lock. A re-entry has the token of the outer hold. The token of a read grant or of permits is for tracing only,
     * with one exception: a read hold that came from a write hold keeps the token of the write hold.
     */
    FencingToken fencingToken();

    @Override
    default List<LockHandle> parts() {
        return List.of(this);
    }
}
