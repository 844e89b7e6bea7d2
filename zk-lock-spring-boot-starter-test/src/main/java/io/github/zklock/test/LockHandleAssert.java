package io.github.zklock.test;

import io.github.zklock.FencingToken;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.internal.Words;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on the current state of a {@link Handle}. */
public class LockHandleAssert extends AbstractAssert<LockHandleAssert, Handle> {

    /** Creates an assertion for AssertJ; use {@link LockAssertions#assertThat(Handle)}. */
    @SuppressWarnings("NullAway") // AssertJ passes null in order to report it
    public LockHandleAssert(@Nullable Handle actual) {
        super(actual, LockHandleAssert.class);
    }

    /** Succeeds if the lock is proven to be held. */
    public LockHandleAssert isHeld() {
        isNotNull();
        if (!actual.isHeld()) {
            throw failure("Expected %s to be held, but it is %s%s", lock(), actual.state(), why());
        }
        return this;
    }

    /** Succeeds if the lock is not proven to be held: it is suspended, lost or released. */
    public LockHandleAssert isNotHeld() {
        isNotNull();
        if (actual.isHeld()) {
            throw failure(
                    "Expected %s not to be held, but it is, for another %s", lock(), Words.of(actual.remaining()));
        }
        return this;
    }

    /** Succeeds if the lock is suspended: it is neither proven to be held nor known to be lost. */
    public LockHandleAssert isSuspended() {
        return hasState(LockState.SUSPENDED, "suspended");
    }

    /** Succeeds if the lock is lost. */
    public LockHandleAssert isLost() {
        return hasState(LockState.LOST, "lost");
    }

    /** Succeeds if the lock was released by its holder. */
    public LockHandleAssert isReleased() {
        return hasState(LockState.RELEASED, "released");
    }

    /** Succeeds if this is the name of the lock. */
    public LockHandleAssert hasName(String name) {
        isNotNull();
        if (!single().name().equals(LockName.of(name))) {
            throw failure("Expected a handle of lock '%s', but it is one of %s", LockName.of(name), lock());
        }
        return this;
    }

    /** Succeeds if this is the fencing token. */
    public LockHandleAssert hasToken(FencingToken token) {
        isNotNull();
        if (!single().fencingToken().equals(token)) {
            throw failure("Expected %s to have token %s", lock(), token);
        }
        return this;
    }

    /** Succeeds if the lock has the fencing token of the other handle, as after re-entry. */
    public LockHandleAssert hasTokenOf(LockHandle other) {
        isNotNull();
        ofOneLock(other);
        return hasToken(other.fencingToken());
    }

    /** Succeeds if the fencing token is higher than this one. A resource that has seen this one then accepts it. */
    public LockHandleAssert hasTokenAbove(FencingToken token) {
        isNotNull();
        if (single().fencingToken().compareTo(token) <= 0) {
            throw failure("Expected %s to have a token above %s", lock(), token);
        }
        return this;
    }

    /** Succeeds if the lock was granted later than the other handle of the same lock. */
    public LockHandleAssert isNewerThan(LockHandle other) {
        isNotNull();
        ofOneLock(other);
        return hasTokenAbove(other.fencingToken());
    }

    private LockHandle single() {
        if (actual.parts().size() > 1) {
            throw failure("Expected a handle of one lock, but it is one of %s: assert its parts()", lock());
        }
        return actual.parts().get(0);
    }

    private void ofOneLock(LockHandle other) {
        if (!single().name().equals(other.name())) {
            throw failure(
                    "Expected a handle of lock '%s', but it is one of %s: tokens of different locks cannot be"
                            + " compared",
                    other.name(), lock());
        }
    }

    private LockHandleAssert hasState(LockState state, String text) {
        isNotNull();
        if (actual.state() != state) {
            throw failure("Expected %s to be %s, but it is %s%s", lock(), text, actual.state(), why());
        }
        return this;
    }

    private String lock() {
        return actual.parts().stream()
                .map(part -> "lock '%s' (token %s)".formatted(part.name(), part.fencingToken()))
                .collect(Collectors.joining(", "));
    }

    /** Returns the handle's own description of why it is not held. */
    private String why() {
        try {
            actual.ensureHeld();
            return "";
        } catch (LockLostException notHeld) {
            return ". " + notHeld.getMessage();
        }
    }
}
