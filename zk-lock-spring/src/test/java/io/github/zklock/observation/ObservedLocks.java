package io.github.zklock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.config.TestApplication;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** Applications on a real registry, and the observations of their locks in the order in which they stopped. */
abstract class ObservedLocks {

    static ZooKeeperLockRegistry registry;

    final TestObservationRegistry observations = TestObservationRegistry.create();
    final List<LockObservationContext> stopped = new CopyOnWriteArrayList<>();

    ObservedLocks() {
        observations.observationConfig().observationHandler(new ObservationHandler<LockObservationContext>() {
            @Override
            public void onStop(LockObservationContext context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof LockObservationContext;
            }
        });
    }

    @BeforeAll
    static void start() {
        registry = TestApplication.registry();
    }

    @AfterAll
    static void stop() {
        registry.close();
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(observations.getCurrentObservation()).isNull();
    }

    TestApplication application() {
        return TestApplication.withoutRegistry()
                .withBean(
                        "zkLockRegistry",
                        LockRegistry.class,
                        () -> registry,
                        definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName(""))
                .withBean("observationRegistry", ObservationRegistry.class, () -> observations);
    }
}
