package io.github.zklock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition of several locks in their order. For one thread at a time, which happens before the next.
 *
 * <pre>
 * TAKING part 0
 * TAKING part k -&gt; TAKING part k + m    taken, with those behind it that were free
 * TAKING part n -&gt; COMPLETE             all n are held
 * TAKING part n -&gt; TAKING part k        part k is lost or in doubt: it and those after it are given back
 * TAKING part k -&gt; UNDONE               part k cannot be had: all are given back
 * </pre>
 *
 * The number of parts in {@link #taken} is the state.
 */
final class Gathering {

    /*
     * No deadlock. Invariant: a caller that waits for part k holds the parts before k, and none behind it. One request asks for part
     * k and all parts behind it, but the registry grants part k + 1 only if it is free and if it has granted part k. If a part is
     * lost, the caller releases it and all parts behind it.
     *
     * One instant: a part that is held now has been owned since it was taken, as a loss is final. So when one pass finds
     * all of them held, all were owned at the instant when that pass began.
     */

    private final List<ClusterLock> parts;
    private final Deadline deadline;
    private final List<LockHandle> taken;
    private boolean asked;
    private @Nullable LockName lost;

    /** @param parts in the order in which everybody takes them */
    Gathering(List<ClusterLock> parts, Deadline deadline) {
        this.parts = parts;
        this.deadline = deadline;
        // never has to grow: an Error must not come between an answer and this list
        this.taken = new ArrayList<>(parts.size());
    }

    /** Whether all parts are taken and held. Gives back those from the first on that is not. */
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
     * @throws LockException if it cannot be had
     * @throws InterruptedException if interrupted before or while waiting for it; its queue is left
     */
    void takeNext() throws InterruptedException {
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
     * @throws LockException if it cannot be had
     */
    CompletableFuture<?> askForNext() {
        ClusterLock part = parts.get(taken.size());
        Duration wait = waitFor(part);
        if (part instanceof JointLock joint && !deadline.isAtOnce()) {
            return joint.acquireAsyncWith(joined(joint), wait);
        }
        return wait == null ? part.acquireAsync() : part.acquireAsync(wait);
    }

    /** Adds the parts that {@link #askForNext} has answered: one, or several. */
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

    /** The whole, once it {@link #isComplete()}. */
    AllHandle whole() {
        return new AllHandle(
                taken, parts.get(0) instanceof JointLock joint && parts.stream().allMatch(joint::joins) ? joint : null);
    }

    /** Gives back whatever is taken; what fails at that is suppressed into the cause. */
    void undo(Throwable cause) {
        giveBackFrom(0, cause);
    }

    /** How long to wait for this part; null for ever. */
    private @Nullable Duration waitFor(ClusterLock part) {
        // the first wait is the whole one as given, however short it is: its answer is the engine's
        Duration wait = asked ? deadline.left() : deadline.limit();
        asked = true;
        if (wait == null) {
            return null;
        }
        if (lost != null && (wait.isZero() || deadline.isAtOnce())) {
            throw new LockUnavailableException(
                    lost,
                    notAcquired(part) + ": lock '" + lost
                            + "' was lost or in doubt before all were held, and no time is left to take it again",
                    null);
        }
        if (wait.isZero() && !deadline.isAtOnce()) {
            throw new LockTimeoutException(
                    part.name(), notAcquired(part) + ": those before it took all the time that there was");
        }
        return wait;
    }

    private String notAcquired(ClusterLock part) {
        return "Lock '" + part.name() + "', number " + (taken.size() + 1) + " of " + parts.size()
                + " taken together, not acquired " + deadline;
    }

    /** @param cause why; null if the loss of one is the reason, which is then no failure */
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
