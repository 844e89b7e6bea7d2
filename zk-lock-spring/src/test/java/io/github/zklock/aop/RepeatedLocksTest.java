package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;

/** Several locks of one call, nested calls, and calls that need no lock. */
class RepeatedLocksTest extends SynchronousCallTests {

    @Component
    static class Accounts {

        @DistributedLock(name = "/accounts/#{#from}", waitTime = "forever")
        @DistributedLock(name = "/accounts/#{#to}", waitTime = "forever")
        public List<String> move(String from, String to) {
            return heldNow();
        }

        @DistributedLocks({
            @DistributedLock(name = "/accounts/b", waitTime = "0"),
            @DistributedLock(name = "/accounts/a", waitTime = "0")
        })
        public @Nullable List<String> both(@Nullable Handle handle) {
            return handle == null
                    ? null
                    : handle.parts().stream().map(part -> part.name().value()).toList();
        }

        @DistributedLock("/accounts/a")
        public <T> T nested(Callable<T> work) throws Exception {
            return work.call();
        }

        public void callsItself() {
            guarded();
        }

        @DistributedLock("/accounts/self")
        public void guarded() {
            LockContext.assertHeld("/accounts/self");
        }
    }

    @BeforeAll
    static void startApplication() {
        start(Map.of(), Accounts.class);
    }

    private final Accounts accounts = bean(Accounts.class);

    @Test
    void allLocksAreAcquiredInOneOrder() {
        assertThat(accounts.move("b", "a")).containsExactly("/accounts/a", "/accounts/b");
        assertThat(accounts.move("a", "b")).containsExactly("/accounts/a", "/accounts/b");
    }

    @Test
    void callsThatNameTheSameLocksInOppositeOrderNeverWaitForEachOther() {
        try (Actor one = new Actor("one");
                Actor other = new Actor("other")) {
            Future<?> there = one.startAct(() -> repeat(() -> accounts.move("a", "b")));
            Future<?> back = other.startAct(() -> repeat(() -> accounts.move("b", "a")));

            Actor.join(there);
            Actor.join(back);
        }
    }

    private static void repeat(Runnable call) {
        for (int i = 0; i < 50; i++) {
            call.run();
        }
    }

    @Test
    void oneLockOfTwoIsNothing() throws InterruptedException {
        try (LockHandle theirs = heldByOthers("/accounts/b")) {
            assertThatThrownBy(() -> accounts.both(null)).isInstanceOf(LockTimeoutException.class);
            assertThat(becomesFreeForOthers("/accounts/a")).isTrue();
        }
    }

    @Test
    void theHandleOfSeveralHasParts() {
        assertThat(accounts.both(null)).containsExactly("/accounts/a", "/accounts/b");
    }

    @Test
    void theSameNameTwiceIsOneLock() {
        assertThat(accounts.move("a", "a")).containsExactly("/accounts/a");
    }

    @Test
    void aNestedCallReentersWithTheSameToken() throws Exception {
        boolean same = accounts.nested(() -> {
            LockHandle outer = LockContext.current().get(0);
            return accounts.nested(() -> {
                List<LockHandle> handles = LockContext.current();
                return handles.size() == 2 && handles.get(1).fencingToken().equals(outer.fencingToken());
            });
        });

        assertThat(same).isTrue();
    }

    @Test
    void theLogContextHasTheInnermostLockAndIsRestored() throws Exception {
        MDC.put("zklock.name", "before");

        List<String> within = accounts.nested(() -> {
            String outer = MDC.get("zklock.name");
            List<String> inner = accounts.move("x", "x");
            return List.of(outer, inner.get(1), MDC.get("zklock.name"), MDC.get("zklock.token"));
        });

        assertThat(within)
                .startsWith("/accounts/a", "/accounts/x", "/accounts/a")
                .doesNotContainNull();
        assertThat(MDC.get("zklock.name")).isEqualTo("before");
        assertThat(MDC.get("zklock.token")).isNull();
        MDC.remove("zklock.name");
    }

    @Test
    void anObjectThatCallsItselfIsCaughtByItsAssertion() {
        accounts.guarded();

        assertThatThrownBy(accounts::callsItself).isInstanceOf(IllegalMonitorStateException.class);
    }
}
