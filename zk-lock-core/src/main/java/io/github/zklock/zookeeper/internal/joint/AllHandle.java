package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The handle of several locks that were acquired as one. Its state is the worst state of its parts. */
final class AllHandle implements Handle {

    private final List<LockHandle> parts;
    /** The lock that can close all parts together; null if there is none. */
    private final @Nullable JointLock joint;

    private enum End {
        /** The close has begun. The first thread that reads the state replaces this value by one of the others. */
        CLOSING,
        RELEASED,
        LOST
    }

    /**
     * The end of this handle; null while it is open and the states of the parts count.
     *
     * <pre>
     * null -&gt; CLOSING -&gt; RELEASED | LOST
     * </pre>
     */
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();

    private final List<LossNotice> notices = new CopyOnWriteArrayList<>();

    /** Whether close was called on each part, so that each one is closed or has recorded the close. */
    private volatile boolean partsClosed;

    /** @param joint the lock of one part, which the locks of all other parts join; null if there is none */
    AllHandle(List<LockHandle> parts, @Nullable JointLock joint) {
        this.parts = List.copyOf(parts);
        this.joint = joint;
    }

    @Override
    public List<LockHandle> parts() {
        return parts;
    }

    @Override
    public LockState state() {
        // reads the parts before the end: if the handle is still open after a part was seen lost, its close sees that
        // loss too
        LockState now = worst();
        return isOpen() ? now : endState();
    }

    @Override
    public boolean isHeld() {
        if (!isOpen()) {
            return false;
        }
        // by index: does not allocate
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).isHeld()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Duration remaining() {
        if (!isOpen()) {
            return Duration.ZERO;
        }
        Duration least = parts.get(0).remaining();
        for (LockHandle part : parts) {
            Duration remaining = part.remaining();
            least = remaining.compareTo(least) < 0 ? remaining : least;
        }
        return least;
    }

    @Override
    public void ensureHeld() {
        if (isHeld()) {
            return;
        }
        if (state() == LockState.RELEASED) {
            throw new LockLostException(parts.get(0).name(), this + " are not all held: their handle was closed");
        }
        // a lost part first: its message names the reason of the loss
        parts.stream()
                .sorted(Comparator.comparing(part -> part.state() != LockState.LOST))
                .forEach(LockHandle::ensureHeld);
    }

    @Override
    public Registration onLost(Runnable action) {
        LossNotice notice = new LossNotice(Objects.requireNonNull(action, "action"));
        notices.add(notice);
        parts.forEach(notice::watch);
        if (!isOpen()) {
            drop(notice);
        }
        return () -> drop(notice);
    }

    @Override
    public void loseAfter(Duration limit) {
        parts.forEach(part -> part.loseAfter(limit));
    }

    @Override
    public void close() {
        // before the state changes: if this call overflows the stack, the handle stays open
        worst();
        if (!end.compareAndSet(null, End.CLOSING)) {
            closeRest();
            return;
        }
        try {
            closeOnce();
        } finally {
            closeRest();
        }
    }

    private void closeOnce() {
        boolean lost = endState() == LockState.LOST;
        notices.forEach(this::drop);
        Deque<Throwable> failures = closeParts(lost);
        if (lost && !(failures.peek() instanceof LockLostException)) {
            failures.addFirst(new LockLostException(
                    parts.get(0).name(), this + " were not all held until their close: at least one was lost"));
        }
        if (!failures.isEmpty()) {
            Throwable first = failures.removeFirst();
            failures.forEach(first::addSuppressed);
            throw AllHandle.<RuntimeException>unchecked(first);
        }
    }

    @Override
    public CompletionStage<Void> released() {
        return CompletableFuture.allOf(parts.stream()
                        .map(part -> part.released().toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .minimalCompletionStage();
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.name().value()).collect(Collectors.joining("', '", "Locks '", "'"));
    }

    private boolean isOpen() {
        return end.get() == null;
    }

    private LockState endState() {
        if (end.get() == End.CLOSING) {
            end.compareAndSet(End.CLOSING, worst() == LockState.LOST ? End.LOST : End.RELEASED);
        }
        return end.get() == End.LOST ? LockState.LOST : LockState.RELEASED;
    }

    /** Returns the worst state of the parts. If a part was closed by itself, the whole counts as released. */
    private LockState worst() {
        // from HELD to LOST each state is worse than the one before
        return parts.stream()
                .map(LockHandle::state)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /**
     * Closes all parts, the last one first, even if the close of a part fails.
     *
     * @param lost whether losses are failures: the loss of a part after this close has begun is no loss of the whole
     * @return the failures: losses first, in the order of their parts
     */
    private Deque<Throwable> closeParts(boolean lost) {
        Deque<Throwable> failures = new ArrayDeque<>();
        Consumer<Throwable> failed = failure -> {
            if (!(failure instanceof LockLostException)) {
                failures.addLast(failure);
            } else if (lost) {
                failures.addFirst(failure);
            }
        };
        if (joint != null) {
            joint.closeTogether(parts, failed);
        } else {
            for (int i = parts.size() - 1; i >= 0; i--) {
                try {
                    parts.get(i).close();
                } catch (Throwable failure) {
                    failed.accept(failure);
                }
            }
        }
        partsClosed = true;
        return failures;
    }

    /** Closes the parts that an Error left open in an earlier close. */
    private void closeRest() {
        if (partsClosed) {
            return;
        }
        boolean all = true;
        for (int i = parts.size() - 1; i >= 0; i--) {
            try {
                parts.get(i).close();
            } catch (Throwable failure) {
                // the earlier close reports the loss
                all &= failure instanceof LockLostException;
            }
        }
        partsClosed = all;
    }

    private void drop(LossNotice notice) {
        notice.cancel();
        notices.remove(notice);
    }

    // a close throws unchecked exceptions only, whatever the type of this variable is
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E unchecked(Throwable failure) throws E {
        throw (E) failure;
    }
}
