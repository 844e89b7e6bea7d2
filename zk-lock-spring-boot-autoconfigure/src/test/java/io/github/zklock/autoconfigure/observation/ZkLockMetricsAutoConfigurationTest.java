package io.github.zklock.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.observation.LockMeters;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ZkLockMetricsAutoConfigurationTest {

    private final ApplicationContextRunner withoutMeters = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockMetricsAutoConfiguration.class))
            .withBean("zkLockRegistry", LockRegistry.class, ZkLockMetricsAutoConfigurationTest::unconnected);

    private final ApplicationContextRunner application =
            withoutMeters.withBean("meterRegistry", SimpleMeterRegistry.class);

    @Test
    void areBoundInAnApplicationWithMeters() {
        application.run(context -> assertThat(context).hasSingleBean(LockMeters.class));
    }

    @Test
    void areAbsentWithoutMicrometer() {
        application
                .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockMeters"));
    }

    @Test
    void areAbsentWithoutAMeterRegistry() {
        withoutMeters.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockMeters.class));
    }

    @Test
    void backOff() {
        LockMeters own = new LockMeters(Map.of(), List.of());
        application
                .withBean(LockMeters.class, () -> own)
                .run(context -> assertThat(context.getBean(LockMeters.class)).isSameAs(own));
    }

    private static LockRegistry unconnected() {
        return ZooKeeperLockRegistry.builder().connectString("127.0.0.1:1").build();
    }
}
