package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A name is one kind of lock at a time. */
public abstract class KindContract extends Contract {

    /** What a name can be used as; those of one family get along. */
    private enum Use {
        EXCLUSIVE("exclusive", "exclusive"),
        READ("pair", "read"),
        WRITE("pair", "write"),
        TWO_PERMITS("semaphore", "2"),
        THREE_PERMITS("semaphore", "3");

        private final String family;
        private final String word;

        Use(String family, String word) {
            this.family = family;
            this.word = word;
        }

        CompletableFuture<LockHandle> acquireAsync(LockRegistry registry, String name) {
            return switch (this) {
                case TWO_PERMITS -> registry.semaphore(name, 2).acquireAsync();
                case THREE_PERMITS -> registry.semaphore(name, 3).acquireAsync();
                default -> lock(registry, name).acquireAsync();
            };
        }

        LockHandle acquire(LockRegistry registry, String name, Duration maxWait) throws InterruptedException {
            return switch (this) {
                case TWO_PERMITS -> registry.semaphore(name, 2).acquire(maxWait);
                case THREE_PERMITS -> registry.semaphore(name, 3).acquire(maxWait);
                default -> lock(registry, name).acquire(maxWait);
            };
        }

        Optional<LockHandle> tryAcquire(LockRegistry registry, String name) throws InterruptedException {
            return switch (this) {
                case TWO_PERMITS -> registry.semaphore(name, 2).tryAcquire();
                case THREE_PERMITS -> registry.semaphore(name, 3).tryAcquire();
                default -> lock(registry, name).tryAcquire();
            };
        }

        private ClusterLock lock(LockRegistry registry, String name) {
            return switch (this) {
                case READ -> registry.readWriteLock(name).readLock();
                case WRITE -> registry.readWriteLock(name).writeLock();
                default -> registry.lock(name);
            };
        }
    }

    @Test
    void nameThatAnotherProcessHoldsAsAnotherKindIsRefused() throws Exception {
        Member other = join();
        for (Use held : Use.values()) {
            LockHandle holder = held.acquire(other.registry(), name(), LONG);

            assertStrangersAreRefused(registry(), held);

            assertThat(holder.isHeld()).isTrue();
            // who was refused may have stood in the queue, and may be on its way out of it
            awaitQueued(1);
            holder.close();
            awaitQueued(0);
        }
    }

    @Test
    void nameThatTheSameProcessHoldsAsAnotherKindIsRefused() throws Exception {
        for (Use held : Use.values()) {
            LockHandle holder = held.acquire(registry(), name(), LONG);

            assertStrangersAreRefused(registry(), held);

            assertThat(holder.isHeld()).isTrue();
            assertThat(registry().inspector().awaited()).isEmpty();
            awaitQueued(1);
            holder.close();
        }
    }

    private void assertStrangersAreRefused(LockRegistry registry, Use held) {
        for (Use asked : Use.values()) {
            if (asked.family.equals(held.family)) {
                continue;
            }
            List<Callable<?>> forms = List.of(
                    () -> asked.acquire(registry, name(), LONG),
                    () -> asked.tryAcquire(registry, name()),
                    () -> Actor.join(asked.acquireAsync(registry, name())));

            assertThat(forms)
                    .as("asked for %s while held as %s", asked, held)
                    .allSatisfy(form -> assertThatExceptionOfType(LockMismatchException.class)
                            .isThrownBy(form::call)
                            .satisfies(refused -> assertThat(refused.name()).isEqualTo(LockName.of(name())))
                            .satisfies(refused -> assertThat(refused.getMessage())
                                    .containsIgnoringCase("'" + name() + "'")
                                    .containsIgnoringCase(asked.word)
                                    .containsIgnoringCase(held.word)
                                    .containsPattern("; (give|use|agree)")));
        }
    }

    @Test
    void nameThatIsOnlyWaitedForAsAnotherKindIsRefusedToo() throws Exception {
        LockHandle holder = lock().acquire();
        CompletableFuture<LockHandle> wait = lockOf(join()).acquireAsync();
        awaitQueued(2);

        assertStrangersAreRefused(join().registry(), Use.EXCLUSIVE);

        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void nameCanBeUsedAsAnotherKindAtOnceAfterItsProcessHasGivenItBack() throws Exception {
        for (Use first : Use.values()) {
            for (Use second : Use.values()) {
                first.acquire(registry(), name(), LONG).close();

                try (LockHandle next = second.acquire(registry(), name(), LONG)) {
                    assertThat(next.isHeld()).as("%s after %s", second, first).isTrue();
                }
            }
        }
    }

    @Test
    void nameCanBeUsedAsAnotherKindAfterTheOtherProcessHasLeft() throws Exception {
        Member leaving = join();
        LockHandle holder = leaving.registry().lock(name()).acquire();
        assertStrangersAreRefused(registry(), Use.EXCLUSIVE);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> {
            leaving.close();
            holder.close();
        });
        awaitQueued(0);

        ClusterSemaphore free = semaphore(3);

        assertThat(free.availablePermits()).isEqualTo(3);
        free.permits(3).acquire(LONG).close();
    }

    @Test
    void availablePermitsOfSomethingElseAreRefused() throws Exception {
        Member other = join();
        try (LockHandle holder = lock().acquire()) {
            for (Member process : List.of(member(), other)) {
                assertThatExceptionOfType(LockMismatchException.class)
                        .isThrownBy(() -> semaphoreOf(process, 3).availablePermits())
                        .withMessageContaining(name());
            }
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    void nestedNamesMayBeOfOtherKinds() throws Exception {
        try (LockHandle parent = lock().acquire();
                LockHandle child = registry().semaphore(name() + "/child", 2).acquire();
                LockHandle grandchild = registry()
                        .readWriteLock(name() + "/child/grand")
                        .readLock()
                        .acquire()) {

            assertThat(List.of(parent, child, grandchild)).allMatch(LockHandle::isHeld);
            try (LockHandle remote =
                    join().registry().semaphore(name() + "/child", 2).acquire(LONG)) {
                assertThat(remote.isHeld()).isTrue();
            }
        }
    }
}
