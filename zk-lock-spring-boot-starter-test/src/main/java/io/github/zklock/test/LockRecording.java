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
 * What happened to the locks of a registry since {@link #of} or the last {@link #clear()}, in order. Thread-safe.
 *
 * <pre>{@code
 * LockRecording recording = LockRecording.of(registry);
 *
 * orders.ship(42);
 *
 * assertThat(recording.taken()).containsExactly("/orders/42", "/stock");
 * }</pre>
 *
 * What it tells is complete: it contains all that the registry had come to know when it was asked. Nothing has to be
 * awaited for what the asking thread did, or what it knows to have happened. What other threads still do, and losses that
 * ZooKeeper has not told yet, must be awaited.
 *
 * <p>To know that, it asks the registry for a lock of its own below {@value #MARKS} each time that it is asked itself, and
 * leaves the queue at once. Other listeners are told of that one, too.
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

    /** Records from now on. */
    public static LockRecording of(LockRegistry registry) {
        return new LockRecording(registry);
    }

    /** The names of the locks that were acquired, one for each grant; re-entering is none. */
    public List<String> taken() {
        return names(LockEvent.Acquired.class);
    }

    /** The names of the locks that were given back, one for each grant. */
    public List<String> released() {
        return names(LockEvent.Released.class);
    }

    /** The names of the locks that were lost, one for each grant. */
    public List<String> lost() {
        return names(LockEvent.Lost.class);
    }

    /** The events of this type. */
    public <E extends LockEvent> List<E> events(Class<E> type) {
        return events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * All events.
     *
     * @throws IllegalStateException if the registry is closed
     */
    public List<LockEvent> events() {
        catchUp();
        return noted();
    }

    /**
     * Forgets what has happened up to now.
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

    /** Records no more. Ask before. */
    @Override
    public void close() {
        registration.close();
    }

    /** What is known at the moment; later events may be missing. */
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
     * Events come asynchronously, but in order: the first one of a lock that is asked for now comes after all those that
     * were told before. That one is Queued or Acquired, and needs no connection.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what the stage returns
    private void catchUp() {
        LockName name = LockName.of(MARKS + "/" + UUID.randomUUID());
        CompletableFuture<Void> mark = new CompletableFuture<>();
        marks.put(name, mark);
        CompletableFuture<LockHandle> claim = registry.lock(name.value()).acquireAsync();
        claim.whenComplete((handle, failure) -> {
            if (failure == null) {
                handle.close();
            } else if (failure instanceof LockRegistryClosedException) {
                // every other failure comes after an event
                mark.completeExceptionally(failure);
            }
        });
        try {
            mark.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the recording of " + registry + " was completed", e);
        } catch (ExecutionException e) {
            throw incomplete("it is asked too late. Ask before the registry is closed", e);
        } catch (TimeoutException e) {
            throw incomplete(
                    "its listener was not told anything for " + PATIENCE_SECONDS + " s; events may be lost", e);
        } finally {
            marks.remove(name);
            claim.cancel(false);
        }
    }

    private IllegalStateException incomplete(String reason, Throwable cause) {
        return new IllegalStateException("The recording of " + registry + " cannot be completed: " + reason, cause);
    }
}
