package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The settings of a process in memory. */
class RegistryBuilderTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final InMemoryLockRegistry.Builder builder = InMemoryLockRegistry.builder();

    @Test
    void timesThatAreNotPositiveAreRejectedWithTheirValue() {
        List<Function<Duration, InMemoryLockRegistry.Builder>> setters =
                List.of(builder::sessionTimeout, builder::connectionTimeout, builder::maxHold, builder::holdWarning);

        assertThat(setters).allSatisfy(setter -> {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> setter.apply(Duration.ZERO))
                    .withMessageContaining("0 s");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> setter.apply(Duration.ofSeconds(-1)))
                    .withMessageContaining("-1 s");
        });
    }

    @Test
    void nullsAndEmptyNamesAreRejected() {
        assertThatNullPointerException().isThrownBy(() -> builder.cluster(null));
        assertThatNullPointerException().isThrownBy(() -> builder.listener(null));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> builder.instance(" "))
                .withMessageContaining("empty");
    }

    @Test
    void policyByNameAndOneForAllLocksExcludeEachOther() {
        List<UnaryOperator<InMemoryLockRegistry.Builder>> settings = List.of(
                made -> made.maxHold(Duration.ofSeconds(1)),
                made -> made.holdWarning(Duration.ofSeconds(1)),
                made -> made.handOff(HandOff.strict()));

        assertThat(settings).allSatisfy(setting -> {
            InMemoryLockRegistry.Builder both = InMemoryLockRegistry.builder().policy(name -> LockPolicy.defaults());
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> setting.apply(both).build())
                    .withMessageContaining("policy by name");
        });
        assertThatNullPointerException().isThrownBy(() -> builder.policy(null));
    }

    @Test
    void handOffPolicyIsFollowed() throws Exception {
        Duration linger = Duration.ofMinutes(10);
        try (InMemoryLockCluster cluster = new InMemoryLockCluster();
                InMemoryLockRegistry lingering = builder.cluster(cluster)
                        .handOff(HandOff.bounded(32, linger).lingering(linger))
                        .build();
                InMemoryLockRegistry other = cluster.join()) {
            LockHandle first = lingering.lock("/order-stats").acquire();
            first.close();
            LockHandle again = lingering.lock("/order-stats").acquire();
            again.close();

            assertThat(again.fencingToken().value() - first.fencingToken().value())
                    .as("turns of one seat")
                    .isEqualTo(1);
            other.lock("/order-stats").acquire(LONG).close();
        }
    }

    @Test
    void longestTimesDoNotOverflow() throws Exception {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        try (InMemoryLockRegistry registry = builder.sessionTimeout(longest)
                        .connectionTimeout(longest)
                        .maxHold(Duration.ofDays(24))
                        .holdWarning(Duration.ofDays(24))
                        .build();
                LockHandle handle = registry.lock("/order-stats").acquire()) {
            registry.suspend();
            registry.resume();

            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void theQueueContainsTheInstanceName() throws Exception {
        try (InMemoryLockCluster cluster = new InMemoryLockCluster();
                InMemoryLockRegistry named =
                        builder.cluster(cluster).instance("billing-1").build();
                LockHandle handle = named.lock("/order-stats").acquire()) {

            List<Seat> queue = cluster.join().inspector().queue(handle.name().value());

            assertThat(queue)
                    .singleElement()
                    .satisfies(seat ->
                            assertThat(seat.owner().orElseThrow().instance()).isEqualTo("billing-1"));
        }
    }
}
