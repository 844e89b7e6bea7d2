package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition of several locks in their order. Not thread-safe: calls from several threads need a happens-before
 * order.
 *
 * <pre>
 * TAKING part 0
 * TAKING part k -&gt; TAKING part k + m    part k was acquired, with the free parts behind it
 * TAKING part n -&gt; COMPLETE             all n parts are held
 * TAKING part n -&gt; TAKING part k        part k is lost or not proven to be held: it and the parts behind it are released
 * TAKING part k -&gt; UNDONE               part k cannot be acquired: all parts are released
 * </pre>
 *
 * <p>The number of parts in {@link #taken} is the state.
 */
final class Gathering {

    /*
     * No deadlock. Invariant: a caller that waits for part k holds the parts before k, and no part behind it. One
     * request asks for part k and all parts behind it, but the registry grants part k + 1 only if it is free and if it
     * has granted part k. If a part is lost, the caller releases it and all parts behind it.
     *
     * Common instant. A loss is final, so a part that is held now has been owned since it was acquired. If one pass
     * finds all parts held, all of them were owned at the instant when the pass began.
     */

    private final List<ClusterLock> parts;
    private final Deadline deadline;
    private final List<LockHandle> taken;
    private boolean asked;
    private @Nullable LockName lost;

    /** @param parts in the order in which all callers acquire them */
    Gathering(List<ClusterLock> parts, Deadline deadline) {
        this.parts = parts;
        this.deadline = deadline;
        // has its final capacity: an Error must not occur between the receipt of an answer and its addition to this
        // list
        this.taken = new ArrayList<>(parts.size());
    }

    /** Returns whether all parts are acquired and held. If a part is not held, releases it and the parts behind it. */
    boolean isComplete() {
        if (taken.size() < parts.size()) {
            return false;
        }
        for (int i = 0; i < taken.size(); i++) {
            if (!taken.get(i).isHeld()) {
                lost = taken.get(i).name();
                giveBackFrom(i, null);
                return false;
            }
        }
        return true;
    }

    /**
     * Acquires the next part on the calling thread, and the parts behind it that are free.
     *
     * @throws LockException if the next part cannot be acquired
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    void takeNext() throws InterruptedException {
        // as scopes, so that the order of locks and a deadlock are seen
        List<LockContext.Scope> scopes = new ArrayList<>(taken.size());
        try {
            taken.forEach(part -> scopes.add(LockContext.open(part)));
            take();
        } finally {
            scopes.forEach(LockContext.Scope::close);
        }
    }

    private void take() throws InterruptedException {
        ClusterLock part = parts.get(taken.size());
        Duration wait = waitFor(part);
        if (part instanceof JointLock joint && !deadline.isAtOnce()) {
            took(joint.acquireWith(joined(joint), wait));
        } else {
            took(List.of(wait == null ? part.acquire() : part.acquire(wait)));
        }
    }

    /**
     * Requests the next part, and the parts behind it that are free. Pass the answer to {@link #took}.
     *
     * @throws LockException if the request is rejected at once
     */
    CompletableFuture<?> askForNext() {
        ClusterLock part = parts.get(taken.size());
        Duration wait = waitFor(part);
        if (part instanceof JointLock joint && !deadline.isAtOnce()) {
            return joint.acquireAsyncWith(joined(joint), wait);
        }
        return wait == null ? part.acquireAsync() : part.acquireAsync(wait);
    }

    /** Adds the parts with which {@link #askForNext} has completed: one handle, or a list. */
    void took(Object answer) {
        if (answer instanceof LockHandle one) {
            taken.add(one);
            return;
        }
        List<?> several = (List<?>) answer;
        for (int i = 0; i < several.size(); i++) {
            taken.add((LockHandle) several.get(i));
        }
    }

    /** Returns the parts behind the next part that one request can acquire with it. */
    private List<ClusterLock> joined(JointLock next) {
        return parts.subList(taken.size() + 1, parts.size()).stream()
                .takeWhile(next::joins)
                .toList();
    }

    /** Returns the common handle, once {@link #isComplete()} is true. */
    AllHandle whole() {
        return new AllHandle(
                taken, parts.get(0) instanceof JointLock joint && parts.stream().allMatch(joint::joins) ? joint : null);
    }

    /** Releases all acquired parts. Failures of their release are suppressed into the cause. */
    void undo(Throwable cause) {
        giveBackFrom(0, cause);
    }

    /** Returns how long to wait for this part; null to wait without a limit. */
    private @Nullable Duration waitFor(ClusterLock part) {
        // the first part gets the whole time as given, also if that is very short: the registry decides its outcome
        Duration wait = asked ? deadline.left() : deadline.limit();
        asked = true;
        if (wait == null) {
            return null;
        }
        if (lost != null && (wait.isZero() || deadline.isAtOnce())) {
            throw new LockUnavailableException(
                    lost,
                    notAcquired(part) + ": lock '" + lost
                            + "' was lost, or its hold could not be proven, before all were acquired, and no time is left"
                            + " to acquire it again",
                    null);
        }
        if (wait.isZero() && !deadline.isAtOnce()) {
            throw new LockTimeoutException(
                    part.name(), notAcquired(part) + ": the locks before it took the whole time");
        }
        return wait;
    }

    private String notAcquired(ClusterLock part) {
        return "Lock '" + part.name() + "', number " + (taken.size() + 1) + " of " + parts.size()
                + " acquired together, not acquired " + deadline;
    }

    /**
     * Releases the parts from this index on.
     *
     * @param cause why; null if one of them is lost, in which case its loss is not reported as a failure
     */
    private void giveBackFrom(int first, @Nullable Throwable cause) {
        while (taken.size() > first) {
            try {
                taken.remove(taken.size() - 1).close();
            } catch (Throwable failure) {
                if (cause != null) {
                    cause.addSuppressed(failure);
                } else if (!(failure instanceof LockLostException)) {
                    throw failure;
                }
            }
        }
    }
}
