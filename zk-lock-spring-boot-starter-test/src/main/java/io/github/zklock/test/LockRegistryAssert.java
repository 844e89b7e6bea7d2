package io.github.zklock.test;

import io.github.zklock.LockException;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the current locks of a {@link LockRegistry}. Locks of other processes of the cluster appear only in
 * failure messages.
 */
public class LockRegistryAssert extends AbstractAssert<LockRegistryAssert, LockRegistry> {

    /** Creates an assertion for AssertJ; use {@link LockAssertions#assertThat(LockRegistry)}. */
    @SuppressWarnings("NullAway") // AssertJ passes null in order to report it
    public LockRegistryAssert(@Nullable LockRegistry actual) {
        super(actual, LockRegistryAssert.class);
    }

    /** Succeeds if the registry provably holds the lock, in any kind. */
    public LockRegistryAssert holds(String name) {
        isNotNull();
        LockName lock = LockName.of(name);
        if (held(lock).noneMatch(held -> held.state() == LockState.HELD)) {
            throw failure("Expected %s to hold lock '%s', but it holds %s%s", actual, lock, allHeld(), queue(lock));
        }
        return this;
    }

    /** Succeeds if the registry does not hold the lock, and does not have it suspended. */
    public LockRegistryAssert doesNotHold(String name) {
        isNotNull();
        LockName lock = LockName.of(name);
        List<Held> found = held(lock).toList();
        if (!found.isEmpty()) {
            throw failure("Expected %s not to hold lock '%s', but it holds %s", actual, lock, describe(found));
        }
        return this;
    }

    /** Succeeds if the registry provably holds exactly these locks. */
    public LockRegistryAssert holdsOnly(String... names) {
        isNotNull();
        Set<LockName> wanted = Stream.of(names).map(LockName::of).collect(Collectors.toSet());
        List<Held> all = actual.inspector().held();
        Set<LockName> proven = all.stream()
                .filter(held -> held.state() == LockState.HELD)
                .map(Held::name)
                .collect(Collectors.toSet());
        if (!proven.equals(wanted) || all.stream().anyMatch(held -> !wanted.contains(held.name()))) {
            String text = wanted.stream().map(LockName::value).sorted().collect(Collectors.joining("', '"));
            throw failure("Expected %s to hold only '%s', but it holds %s", actual, text, describe(all));
        }
        return this;
    }

    /** Succeeds if the registry holds no lock, and has none suspended. */
    public LockRegistryAssert holdsNothing() {
        isNotNull();
        if (!actual.inspector().held().isEmpty()) {
            throw failure("Expected %s to hold nothing, but it holds %s", actual, allHeld());
        }
        return this;
    }

    /** Succeeds if this number of the registry's threads and futures wait for the lock. */
    public LockRegistryAssert hasWaiting(String name, int waiting) {
        isNotNull();
        LockName lock = LockName.of(name);
        List<Awaited> found = actual.inspector().awaited().stream()
                .filter(awaited -> awaited.name().equals(lock))
                .toList();
        if (found.size() != waiting) {
            throw failure(
                    "Expected %d of %s to wait for lock '%s', but %d do%s%s",
                    waiting, actual, lock, found.size(), waiters(found), queue(lock));
        }
        return this;
    }

    /** Succeeds if the registry is connected to the cluster. */
    public LockRegistryAssert isConnected() {
        return isConnected(true, "be connected, but it is cut off");
    }

    /** Succeeds if the registry is cut off from the cluster. */
    public LockRegistryAssert isCutOff() {
        return isConnected(false, "be cut off, but it is connected");
    }

    private LockRegistryAssert isConnected(boolean wanted, String text) {
        isNotNull();
        if (actual.inspector().session().connected() != wanted) {
            throw failure("Expected %s to %s. It holds %s", actual, text, allHeld());
        }
        return this;
    }

    private Stream<Held> held(LockName name) {
        return actual.inspector().held().stream().filter(held -> held.name().equals(name));
    }

    private String allHeld() {
        return describe(actual.inspector().held());
    }

    private static String describe(List<Held> all) {
        return all.isEmpty()
                ? "nothing"
                : all.stream()
                        .map(held -> "'%s' (%s, %s, token %s, by thread '%s')"
                                .formatted(held.name(), held.kind(), held.state(), held.token(), held.holder()))
                        .collect(Collectors.joining(", "));
    }

    private static String waiters(List<Awaited> waiters) {
        return waiters.isEmpty()
                ? ""
                : waiters.stream()
                        .map(awaited -> "'" + awaited.waiter() + "'")
                        .collect(Collectors.joining(", ", ": threads ", ""));
    }

    /** Returns the queue of the lock in the cluster, if it can be read. */
    private String queue(LockName name) {
        try {
            List<Seat> seats = actual.inspector().queue(name.value());
            return seats.isEmpty()
                    ? "; no process of the cluster holds it"
                    : seats.stream()
                            .map(LockRegistryAssert::describe)
                            .collect(Collectors.joining(", ", "; its queue: ", ""));
        } catch (LockException unknown) {
            return "; its queue is unknown: " + unknown.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "; its queue is unknown: the request was interrupted";
        }
    }

    private static String describe(Seat seat) {
        String owner = seat.owner()
                .map(told -> "thread '" + told.thread() + "' of " + told.instance())
                .orElse("an unknown owner");
        return owner + (seat.holds() ? " holds (" : " waits (") + seat.kind() + ")";
    }
}
