package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockInspector.Session;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What the inspector tells and does. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class InspectorContract extends Contract {

    private LockInspector inspector() {
        return registry().inspector();
    }

    @Test
    void heldLocksAreToldOldestFirst() throws Exception {
        Actor thread = actor("second holder");
        try (LockHandle first = lock().acquire()) {
            thread.act(() -> registry().lock(name() + "/second").lock());

            List<Held> held = inspector().held();

            assertThat(held).hasSize(2);
            assertThat(held.get(0).name()).isEqualTo(first.name());
            assertThat(held.get(0).token()).isEqualTo(first.fencingToken());
            assertThat(held.get(0).state()).isEqualTo(LockState.HELD);
            assertThat(held.get(0).held()).isGreaterThanOrEqualTo(held.get(1).held());
            assertThat(held.get(0).remaining()).isPositive();
            assertThat(held.get(0).holds()).isEqualTo(1);
            assertThat(held.get(0).seatId()).isNotBlank();
            assertThat(held.get(1).holder()).isEqualTo("second holder");
            thread.act(() -> registry().lock(name() + "/second").unlock());
        }
        assertThat(inspector().held()).isEmpty();
    }

    @Test
    void holdsOfOneOwnershipAreCounted() throws Exception {
        lock().lock();
        lock().lock();
        LockHandle handle = lock().acquire();

        assertThat(inspector().held()).singleElement().extracting(Held::holds).isEqualTo(3);

        handle.close();
        lock().unlock();
        lock().unlock();
    }

    @Test
    void waitsAreToldOldestFirst() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        Actor first = waiting("first waiter", () -> lock().lockInterruptibly());
        Actor second = waiting("second waiter", () -> lock().lockInterruptibly());

        List<Awaited> awaited = inspector().awaited();

        assertThat(awaited).extracting(Awaited::waiter).containsExactly("first waiter", "second waiter");
        assertThat(awaited).extracting(Awaited::name).containsOnly(holder.name());
        assertThat(awaited.get(0).waited())
                .isGreaterThanOrEqualTo(awaited.get(1).waited());
        first.interrupt();
        second.interrupt();
        awaitWaiters(0);
        holder.close();
    }

    @Test
    void sessionIsToldWithItsProof() throws Exception {
        try (LockHandle handle = lock().acquire()) {

            Session session = inspector().session();

            assertThat(session.connected()).isTrue();
            assertThat(session.id()).isNotBlank();
            assertThat(session.timeout()).isPositive();
            assertThat(session.remaining()).isPositive().isLessThanOrEqualTo(session.timeout());
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void renewalsOfTheProofAreCountedOverSessions() throws Exception {
        lock().acquire().close();
        Session before = inspector().session();
        assertThat(before.renewals()).isPositive();

        member().expireSession();
        await().until(() ->
                inspector().session().connected() && !inspector().session().id().equals(before.id()));
        lock().acquire().close();

        assertThat(inspector().session().renewals()).isGreaterThan(before.renewals());
    }

    @Test
    void queueIsToldHolderFirstWithOwners() throws Exception {
        Member other = join();
        LockHandle holder = lock().acquire();
        Actor thread = actor("remote waiter");
        Future<LockHandle> wait = thread.start(() -> lockOf(other).acquire());
        await().until(() -> cluster().queued(name()) == 2);

        List<Seat> queue = inspector().queue(name());

        assertThat(queue).hasSize(2);
        assertThat(queue.get(0).id()).isEqualTo(inspector().held().get(0).seatId());
        assertThat(queue).extracting(Seat::kind).containsOnly(LockKind.EXCLUSIVE);
        assertThat(queue.get(0).sequence()).isLessThan(queue.get(1).sequence());
        assertThat(queue.get(0).sessionId()).isEqualTo(inspector().session().id());
        Owner waiter = queue.get(1).owner().orElseThrow();
        assertThat(waiter.thread()).isEqualTo("remote waiter");
        assertThat(waiter.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(waiter.instance()).isNotBlank();
        assertThat(waiter.host()).isNotBlank();
        assertThat(waiter.since()).isNotNull();
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void queueOfALockThatNobodyHasUsedIsEmpty() throws Exception {
        assertThat(inspector().queue(name() + "/never")).isEmpty();
    }

    @Test
    void namesAreToldByPageInOrder() throws Exception {
        List<String> names = new ArrayList<>();
        List<LockHandle> held = new ArrayList<>();
        for (String below : List.of("/a", "/a/1", "/a/2", "/b", "/b/c/d", "/b-", "/ü")) {
            names.add(name() + below);
            held.add(registry().lock(name() + below).acquire());
        }
        List<String> told = new ArrayList<>();

        String after = "";
        List<LockName> page = inspector().names(name(), after, 2);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            page.forEach(found -> told.add(found.value()));
            after = page.get(page.size() - 1).value();
            page = inspector().names(name(), after, 2);
        }

        assertThat(told).as("without the folder /b/c").containsExactlyInAnyOrderElementsOf(names);
        assertThat(inspector().names(name(), "", 10_000).stream().map(LockName::value))
                .containsExactlyElementsOf(told);
        held.forEach(LockHandle::close);
    }

    @Test
    void namesBelowNothingAreNone() throws Exception {
        assertThat(inspector().names(name() + "/never", "", 10)).isEmpty();
    }

    @Test
    void allNamesAreToldBelowTheRoot() throws Exception {
        try (LockHandle handle = lock().acquire()) {

            assertThat(inspector().names("/", "", 10_000)).contains(handle.name());
        }
    }

    @Test
    void evictionOfTheHeadIsALossToItsHolder() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        String head = inspector().queue(name()).get(0).id();

        boolean evicted = inspector().evict(name(), head);

        assertThat(evicted).isTrue();
        await().until(() -> holder.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(holder::close);
        assertThat(inspector().evict(name(), head)).isFalse();
    }

    @Test
    void evictionSparesEveryoneButTheHeadThatIsNamed() throws Exception {
        Member other = join();
        LockHandle holder = lock().acquire();
        Future<LockHandle> wait = actor("waiter").start(() -> lockOf(other).acquire());
        await().until(() -> cluster().queued(name()) == 2);
        List<Seat> queue = inspector().queue(name());

        assertThat(inspector().evict(name(), queue.get(1).id())).isFalse();
        assertThat(inspector().evict(name(), "nobody")).isFalse();

        assertThat(inspector().queue(name()))
                .extracting(Seat::id)
                .containsExactly(queue.get(0).id(), queue.get(1).id());
        assertThat(holder.isHeld()).isTrue();
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void outageIsToldByWhatAsksTheClusterAndByTheSession() {
        cluster().outage();

        // all at once, as each takes the connection timeout
        Future<?> queue = actor("asks for a queue").start(() -> inspector().queue(name()));
        Future<?> names = actor("asks for names").start(() -> inspector().names("/", "", 10));
        Future<?> eviction = actor("evicts").start(() -> inspector().evict(name(), "seat"));

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> Actor.join(queue))
                .withMessageContaining(name());
        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> Actor.join(names));
        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> Actor.join(eviction));
        await().until(() -> !inspector().session().connected());
        assertThat(inspector().held()).isEmpty();
    }

    @Test
    void pageSizesBeyondTheBoundsAreRefused() {
        assertThat(List.of(0, -1, 10_001, Integer.MIN_VALUE))
                .allSatisfy(limit -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(() -> inspector().names("/", "", limit))
                        .withMessageContaining(Integer.toString(limit)));
    }
}
