package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryBuilderTest {

    private final ZooKeeperLockRegistry.Builder builder = ZooKeeperLockRegistry.builder();

    @AfterEach
    void leaveNothing() {
        Leftovers.assertNoThreads();
    }

    @Test
    void timesBelowAMillisecondAreRejectedByName() {
        for (Duration refused : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1))) {
            assertThat(List.<ThrowingCallable>of(
                            () -> builder.sessionTimeout(refused),
                            () -> builder.connectionTimeout(refused),
                            () -> builder.maxHold(refused),
                            () -> builder.holdWarning(refused),
                            () -> builder.retry(refused, Duration.ofSeconds(1))))
                    .allSatisfy(call -> assertThatExceptionOfType(IllegalArgumentException.class)
                            .isThrownBy(call)
                            .withMessageContaining(Words.of(refused))
                            .withMessageContaining("shorter than a millisecond"));
        }
    }

    @Test
    void sessionTimeoutThatAPauseWouldExceedIsRejected() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> builder.sessionTimeout(Duration.ofMillis(10)))
                .withMessageContaining("session timeout 10 ms is too short")
                .withMessageContaining("at least 100 ms");
    }

    @Test
    void timesThatTheClientCannotTakeAreRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> builder.sessionTimeout(Duration.ofDays(30)))
                .withMessageContaining("24 days");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> builder.sessionTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void retryPausesMustRise() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> builder.retry(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessageContaining("2 s")
                .withMessageContaining("1 s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "locks", "/locks/", "/a//b", "/a/../b", "/a\u0000"})
    void basePathsThatAreNoneAreRefused(String refused) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.basePath(refused));
    }

    @Test
    void emptyNamesAreRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.connectString(" "));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder.instance(""));
    }

    @Test
    void nullsAreRefused() {
        assertThat(List.<ThrowingCallable>of(
                        () -> builder.connectString(null),
                        () -> builder.client(null),
                        () -> builder.sessionTimeout(null),
                        () -> builder.connectionTimeout(null),
                        () -> builder.retry(null, null),
                        () -> builder.basePath(null),
                        () -> builder.instance(null),
                        () -> builder.handOff(null),
                        () -> builder.maxHold(null),
                        () -> builder.holdWarning(null),
                        () -> builder.acl(null),
                        () -> builder.policy(null),
                        () -> builder.listener(null)))
                .allSatisfy(call -> assertThatNullPointerException().isThrownBy(call));
    }

    @Test
    void serversOrAClientAreNeededAndNotBoth() {
        CuratorFramework client = unstarted();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(builder::build)
                .withMessageContaining("neither");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() ->
                        builder.connectString("127.0.0.1:1").client(client).build())
                .withMessageContaining("both");
    }

    @Test
    void policyByNameAndOneForAllLocksExcludeEachOther() {
        Duration second = Duration.ofSeconds(1);
        List<UnaryOperator<ZooKeeperLockRegistry.Builder>> settings = List.of(
                made -> made.handOff(HandOff.strict()), made -> made.maxHold(second), made -> made.holdWarning(second));

        assertThat(settings).allSatisfy(setting -> {
            ZooKeeperLockRegistry.Builder both =
                    ZooKeeperLockRegistry.builder().connectString("127.0.0.1:1").policy(name -> LockPolicy.defaults());
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> setting.apply(both).build())
                    .withMessageContaining("policy by name");
        });
    }

    @Test
    void clientThatIsNotStartedIsRefused() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> builder.client(unstarted()).build())
                .withMessageContaining("start it");
    }

    @Test
    void negativeTimeToDrainIsRefused() {
        try (ZooKeeperLockRegistry registry = builder.connectString("127.0.0.1:1")
                .connectionTimeout(Duration.ofMillis(100))
                .build()) {

            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> registry.close(Duration.ofSeconds(-1)))
                    .withMessageContaining("-1 s");
        }
    }

    @Test
    void registryIsBuiltAndClosedWhileNoServerIsThere() {
        ZooKeeperLockRegistry registry = builder.connectString("127.0.0.1:1")
                .connectionTimeout(Duration.ofMillis(100))
                .build();

        assertThat(registry.inspector().session().connected()).isFalse();

        registry.close();
    }

    private static CuratorFramework unstarted() {
        return ZooKeeperLockRegistry.clientBuilder()
                .connectString("127.0.0.1:1")
                .retryPolicy(new RetryOneTime(1))
                .build();
    }
}
