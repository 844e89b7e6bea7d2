package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.aop.WaitTime;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockOverridesTest {

    @ParameterizedTest
    @CsvSource({
        "/orders/**, /orders/42/items, true",
        "/orders/**, /orders/42, true",
        "/orders/**, /orders, true",
        "/orders/**, /ordersx, false",
        "/orders/*, /orders/42, true",
        "/orders/*, /orders, false",
        "/orders/*, /orders/42/items, false",
        "orders/*/items, /orders/42/items, true",
        "/orders/4?, /orders/42, true",
        "/orders/, orders, true",
        "/**, /anything/at/all, true",
        "/Orders, /orders, false",
        "/orders/a*, '/orders/a b{c}', true"
    })
    void aPatternMatchesTheCanonicalName(String pattern, String name, boolean matches) {
        LockOverrides overrides =
                overrides(Map.of("zk.lock.locks[0].name", pattern, "zk.lock.locks[0].wait-time", "1s"));

        WaitTime waitTime = overrides.of(LockName.of(name)).waitTime();

        assertThat(waitTime).isEqualTo(WaitTime.parse(matches ? "1s" : "10s"));
    }

    @Test
    void theFirstMatchingEntryWinsAsAWhole() {
        LockOverrides overrides = overrides(Map.of(
                "zk.lock.locks[0].name", "/orders/42",
                "zk.lock.locks[0].on-busy", "skip",
                "zk.lock.locks[1].name", "/orders/**",
                "zk.lock.locks[1].on-lost", "notify"));

        assertThat(overrides.of(LockName.of("/orders/42")).onBusy()).isEqualTo(OnBusy.SKIP);
        assertThat(overrides.of(LockName.of("/orders/42")).onLost()).isEqualTo(OnLost.THROW_AFTER);
        assertThat(overrides.of(LockName.of("/orders/43")).onLost()).isEqualTo(OnLost.NOTIFY);
        assertThat(overrides.of(LockName.of("/customers/1"))).isEqualTo(overrides.general());
    }

    @Test
    void withoutPropertiesLocksAreAsWithoutSpring() {
        LockOverrides none = overrides(Map.of());

        assertThat(none.policy(LockName.of("/a"))).isEqualTo(LockPolicy.defaults());
        assertThat(none.general()).isEqualTo(CallDefaults.STANDARD.general());
    }

    @Test
    void unsetValuesAreTakenFromTheGeneralSettings() {
        LockOverrides overrides = overrides(Map.of(
                "zk.lock.wait-time", "forever",
                "zk.lock.max-hold", "1h",
                "zk.lock.handoff.linger", "2s",
                "zk.lock.locks[0].name", "/a",
                "zk.lock.locks[0].on-busy", "skip"));

        assertThat(overrides.of(LockName.of("/a")).waitTime()).isEqualTo(WaitTime.FOREVER);
        assertThat(overrides.policy(LockName.of("/a")).maxHold()).isEqualTo(Duration.ofHours(1));
        assertThat(overrides.policy(LockName.of("/a")).handOff())
                .isEqualTo(LockPolicy.defaults().handOff().lingering(Duration.ofSeconds(2)));
    }

    @Test
    void zeroRemovesAGeneralLimit() {
        LockOverrides overrides = overrides(Map.of(
                "zk.lock.max-hold", "1h",
                "zk.lock.locks[0].name", "/a",
                "zk.lock.locks[0].max-hold", "0",
                "zk.lock.locks[0].hold-warning-threshold", "0"));

        assertThat(overrides.policy(LockName.of("/a")).maxHold()).isNull();
        assertThat(overrides.policy(LockName.of("/a")).holdWarning()).isNull();
        assertThat(overrides.policy(LockName.of("/b")).holdWarning()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aStrictEntryIgnoresTheGeneralLinger() {
        LockOverrides overrides = overrides(Map.of(
                "zk.lock.handoff.linger", "2s",
                "zk.lock.locks[0].name", "/a",
                "zk.lock.locks[0].handoff.policy", "strict"));

        HandOff handOff = overrides.policy(LockName.of("/a")).handOff();

        assertThat(handOff.policy()).isEqualTo(HandOff.Policy.STRICT);
        assertThat(handOff.linger()).isZero();
    }

    @Test
    void theRegistryUsesThePolicyOfTheName() {
        Contexts.connected()
                .withPropertyValues("zk.lock.locks[0].name=/brief/**", "zk.lock.locks[0].max-hold=1ms")
                .run(context -> {
                    LockRegistry registry = context.getBean(LockRegistry.class);
                    LockHandle brief = registry.lock("/brief/1").acquire(Duration.ofMinutes(1));
                    CountDownLatch lost = new CountDownLatch(1);
                    try (LockHandle other = registry.lock("/other").acquire(Duration.ofMinutes(1))) {
                        brief.onLost(lost::countDown);

                        assertThat(lost.await(1, TimeUnit.MINUTES)).isTrue();
                        assertThat(other.isHeld()).isTrue();
                    }
                });
    }

    private static LockOverrides overrides(Map<String, String> values) {
        return new LockOverrides(ZkLockPropertiesTest.bind(new TreeMap<>(values)));
    }
}
