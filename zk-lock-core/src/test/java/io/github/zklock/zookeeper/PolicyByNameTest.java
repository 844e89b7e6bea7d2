package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockPolicy;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hand-offs by name, as the cluster sees them, and what the engine tells of its session. */
class PolicyByNameTest {

    private static final String STRICT = "/tickets";
    private static final String BOUNDED = "/orders";
    private static final int WAITERS = 3;

    @RegisterExtension
    final RealServer real = new RealServer();

    private final ZooKeeperLockRegistry registry = real.open(RealServer.builder()
            .connectString(real.itself().connectString())
            .policy(name -> LockPolicy.defaults()
                    .handOff(
                            name.value().equals(STRICT)
                                    ? HandOff.strict()
                                    : HandOff.bounded(32, Duration.ofMinutes(10))))
            .build());

    @Test
    void strictNameHasASeatForEachWaiterAndABoundedOneASeatForAll() throws Exception {
        List<LockHandle> holders =
                List.of(registry.lock(STRICT).acquire(), registry.lock(BOUNDED).acquire());

        List<CompletableFuture<LockHandle>> strict = waitFor(STRICT);
        List<CompletableFuture<LockHandle>> bounded = waitFor(BOUNDED);

        real.awaitSeats(1 + WAITERS + 1);
        assertThat(registry.inspector().queue(STRICT)).hasSize(1 + WAITERS);
        assertThat(registry.inspector().queue(BOUNDED)).hasSize(1);
        assertThat(registry.inspector().awaited()).hasSize(2 * WAITERS);
        holders.forEach(LockHandle::close);
        strict.forEach(wait -> Actor.join(wait).close());
        bounded.forEach(wait -> Actor.join(wait).close());
    }

    @Test
    void proofIsRenewedForAsLongAsALockIsHeld() throws Exception {
        try (LockHandle handle = registry.lock(BOUNDED).acquire()) {
            long before = registry.inspector().session().renewals();

            RealServer.awaitUntil(() -> registry.inspector().session().renewals() >= before + 2);

            assertThat(handle.isHeld()).isTrue();
        }
    }

    private List<CompletableFuture<LockHandle>> waitFor(String name) {
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waits.add(registry.lock(name).acquireAsync());
        }
        return waits;
    }
}
