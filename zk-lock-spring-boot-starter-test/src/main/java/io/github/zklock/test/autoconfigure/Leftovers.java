package io.github.zklock.test.autoconfigure;

import io.github.zklock.LockException;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The locks of a context that were acquired after this object was created and are still held. */
final class Leftovers {

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
    /** Limits the rounds, in case a thread acquires locks again and again. */
    private static final int MOST_ROUNDS = 100;
    /** A registry on ZooKeeper checks its seats every eighth of its session timeout. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final Collection<LockRegistry> registries;
    private final Set<LockName> leaderships;
    private final Set<Grant> heldBefore;

    /**
     * Considers the locks that are acquired from now on.
     *
     * @param leaderships names whose locks are held by leaders, for as long as their context
     */
    Leftovers(Collection<LockRegistry> registries, Set<LockName> leaderships) {
        this.registries = List.copyOf(registries);
        this.leaderships = Set.copyOf(leaderships);
        this.heldBefore = all().map(Leftover::grant).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the locks that are still held after this time. Returns earlier if no lock is held. */
    List<Leftover> after(Duration grace) {
        List<Leftover> left = now();
        return left.isEmpty() ? left : awaitNone(grace);
    }

    /**
     * Releases all locks by force, including locks that waiters acquire in the meantime, and waits until the registries
     * detect the loss.
     */
    void takeAway() {
        boolean taken = true;
        for (int round = 0; round < MOST_ROUNDS && taken; round++) {
            taken = now().stream().map(Leftover::takeAway).reduce(false, Boolean::logicalOr);
        }
        awaitNone(SETTLING);
    }

    private List<Leftover> awaitNone(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        Semaphore events = new Semaphore(0);
        List<Registration> registrations = new ArrayList<>();
        registries.forEach(registry -> registrations.add(registry.addListener(event -> events.release())));
        try {
            List<Leftover> left = now();
            while (!left.isEmpty() && events.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                left = now();
            }
            return left;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return now();
        } finally {
            registrations.forEach(Registration::close);
        }
    }

    private List<Leftover> now() {
        return all().filter(left -> !heldBefore.contains(left.grant())).toList();
    }

    private Stream<Leftover> all() {
        return registries.stream()
                .flatMap(registry -> registry.inspector().held().stream()
                        .filter(held -> !leaderships.contains(held.name()))
                        .map(held -> new Leftover(registry, held)));
    }

    /** The identity of a hold, which distinguishes it from earlier and later holds. */
    private record Grant(LockRegistry registry, LockName name, String seatId, long token) {}

    /** A lock that is still held. */
    record Leftover(LockRegistry registry, Held held) {

        Grant grant() {
            return new Grant(registry, held.name(), held.seatId(), held.token().value());
        }

        /** Returns the holder of the lock, the time of its hold, and its waiters. */
        String describe() {
            List<Awaited> waiting = registry.inspector().awaited().stream()
                    .filter(awaited -> awaited.name().equals(held.name()))
                    .toList();
            return "'%s' (%s, %s, token %s, acquired by thread '%s' %s ago%s)"
                    .formatted(
                            held.name(),
                            held.kind(),
                            held.state(),
                            held.token(),
                            held.holder(),
                            Words.of(held.held()),
                            waiting.isEmpty()
                                    ? ""
                                    : waiting.stream()
                                            .map(awaited -> "'" + awaited.waiter() + "'")
                                            .collect(Collectors.joining(", ", ", awaited by ", "")));
        }

        private boolean takeAway() {
            try {
                return registry.inspector().evict(held.name().value(), held.seatId());
            } catch (LockException unreachable) {
                LOG.warn("Lock '{}' stays held after its test", held.name(), unreachable);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        }
    }
}
