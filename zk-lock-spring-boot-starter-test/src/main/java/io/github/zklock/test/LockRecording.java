package io.github.zklock.test;

import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records the events of a registry's locks, in order, since {@link #of} or the last {@link #clear()}. Thread-safe.
 *
 * <pre>{@code
 * LockRecording recording = LockRecording.of(registry);
 *
 * orders.ship(42);
 *
 * assertThat(recording.taken()).containsExactly("/orders/42", "/stock");
 * }</pre>
 *
 * <p>Each query returns all events that the registry had recorded or detected when the query began. A test need not
 * wait for events of its own thread, or for events that it has observed otherwise. It must wait for events of other
 * running threads, and for losses that ZooKeeper has not reported yet.
 *
 * <p>To achieve this, each query requests a lock of its own below {@value #MARKS} and leaves the queue at once. Other
 * listeners receive the events of that lock too.
 */
public final class LockRecording implements AutoCloseable {

    private static final String MARKS = "/zk-lock-recording";
    private static final int PATIENCE_SECONDS = 30;

    private final LockRegistry registry;
    private final Registration registration;
    private final Map<LockName, CompletableFuture<Void>> marks = new ConcurrentHashMap<>();
    // guards: events
    private final ReentrantLock lock = new ReentrantLock();
    private final List<LockEvent> events = new ArrayList<>();

    private LockRecording(LockRegistry registry) {
        this.registry = registry;
        this.registration = registry.addListener(this::note);
    }

    /** Returns a recording that starts now. */
    public static LockRecording of(LockRegistry registry) {
        return new LockRecording(registry);
    }

    /** Returns the names of the acquired locks, one for each grant. A re-entry is not a grant. */
    public List<String> taken() {
        return names(LockEvent.Acquired.class);
    }

    /** Returns the names of the released locks, one for each grant. */
    public List<String> released() {
        return names(LockEvent.Released.class);
    }

    /** Returns the names of the lost locks, one for each grant. */
    public List<String> lost() {
        return names(LockEvent.Lost.class);
    }

    /** Returns the events of this type. */
    public <E extends LockEvent> List<E> events(Class<E> type) {
        return events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Returns all events.
     *
     * @throws IllegalStateException if the registry is closed
     */
    public List<LockEvent> events() {
        catchUp();
        return noted();
    }

    /**
     * Forgets all events so far.
     *
     * @throws IllegalStateException if the registry is closed
     */
    public void clear() {
        catchUp();
        lock.lock();
        try {
            events.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Stops recording. Read the recording before. */
    @Override
    public void close() {
        registration.close();
    }

    /** Returns the events that are recorded at this moment; later ones may be missing. */
    @Override
    public String toString() {
        return "LockRecording" + noted();
    }

    private <E extends LockEvent> List<String> names(Class<E> type) {
        return events(type).stream().map(event -> event.name().value()).toList();
    }

    private List<LockEvent> noted() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    private void note(LockEvent event) {
        if (event.name().value().startsWith(MARKS + "/")) {
            CompletableFuture<Void> mark = marks.get(event.name());
            if (mark != null) {
                mark.complete(null);
            }
            return;
        }
        lock.lock();
        try {
            events.add(event);
        } finally {
            lock.unlock();
        }
    }

    /*
     * Events are delivered asynchronously, but in order. Invariant: the first event of a lock that is requested now
     * follows all events that were delivered before. This event is Queued or Acquired, and needs no connection.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // no step depends on the returned stage
    private void catchUp() {
        LockName name = LockName.of(MARKS + "/" + UUID.randomUUID());
        CompletableFuture<Void> mark = new CompletableFuture<>();
        marks.put(name, mark);
        CompletableFuture<LockHandle> claim = registry.lock(name.value()).acquireAsync();
        claim.whenComplete((handle, failure) -> {
            if (failure == null) {
                handle.close();
            } else if (failure instanceof LockRegistryClosedException) {
                // every other failure follows an event
                mark.completeExceptionally(failure);
            }
        });
        try {
            mark.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the recording of " + registry + " was completed", e);
        } catch (ExecutionException e) {
            throw incomplete("the registry is closed. Read the recording before the registry is closed", e);
        } catch (TimeoutException e) {
            throw incomplete("its listener received no event for " + PATIENCE_SECONDS + " s; events may be lost", e);
        } finally {
            marks.remove(name);
            claim.cancel(false);
        }
    }

    private IllegalStateException incomplete(String reason, Throwable cause) {
        return new IllegalStateException("The recording of " + registry + " cannot be completed: " + reason, cause);
    }
}
