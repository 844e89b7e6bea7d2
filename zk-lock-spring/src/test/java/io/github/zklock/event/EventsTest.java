package io.github.zklock.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.config.TestApplication;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.event.EventListener;

class EventsTest {

    private ZooKeeperLockRegistry registry;

    @BeforeEach
    void open() {
        registry = ZooKeeperLockRegistry.builder()
                .connectString(TestApplication.server().connectString())
                .sessionTimeout(Duration.ofSeconds(10))
                .holdWarning(Duration.ofMillis(1))
                .build();
    }

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void publishesALoss() {
        withRegistry().run(context -> {
            LockHandle handle = registry.lock("/events/lost").acquire();

            evict(handle);

            List<Object> heard = context.getBean(Heard.class).events;
            Awaitility.await().until(() -> heard.stream().anyMatch(LockLostEvent.class::isInstance));
            assertThat(heard)
                    .filteredOn(LockLostEvent.class::isInstance)
                    .singleElement()
                    .satisfies(event -> {
                        LockLostEvent lost = (LockLostEvent) event;
                        assertThat(lost.registry()).isEqualTo("zkLockRegistry");
                        assertThat(lost.name()).isEqualTo(handle.name());
                        assertThat(lost.token()).isEqualTo(handle.fencingToken());
                        assertThat(lost.reason()).isNotBlank();
                    });
        });
    }

    @Test
    void publishesALongHold() {
        withRegistry().run(context -> {
            try (LockHandle handle = registry.lock("/events/long").acquire()) {
                List<Object> heard = context.getBean(Heard.class).events;
                Awaitility.await().until(() -> heard.stream().anyMatch(LockHeldLongEvent.class::isInstance));

                assertThat(heard).first().satisfies(event -> {
                    LockHeldLongEvent held = (LockHeldLongEvent) event;
                    assertThat(held.registry()).isEqualTo("zkLockRegistry");
                    assertThat(held.token()).isEqualTo(handle.fencingToken());
                    assertThat(held.holder()).isEqualTo(Thread.currentThread().getName());
                    assertThat(held.held()).isPositive();
                });
            }
        });
    }

    @Test
    void publishesNothingAfterTheContextIsClosed() {
        Heard heard = new Heard();
        List<String> told = new CopyOnWriteArrayList<>();
        LockEventPublisher publisher = new LockEventPublisher(Map.of("zkLockRegistry", registry), heard.events::add);
        publisher.start();
        publisher.stop();
        registry.addListener(event -> told.add(event.getClass().getSimpleName()));

        evictNew("/events/closed");

        Awaitility.await().until(() -> told.contains("Lost"));
        assertThat(heard.events).isEmpty();
        assertThat(publisher.isRunning()).isFalse();
    }

    @Test
    void eachListenerOfAContextHierarchyReceivesAnEventOnce() {
        withRegistry()
                .run(parent -> TestApplication.withoutRegistry()
                        .withBeans(Heard.class)
                        .with(context -> context.setParent(parent))
                        .run(child -> {
                            evictNew("/events/hierarchy");
                            evictNew("/events/hierarchy/later");

                            for (Heard heard : List.of(parent.getBean(Heard.class), child.getBean(Heard.class))) {
                                // the events of a registry arrive in order
                                Awaitility.await().until(() -> heard.losses().contains("/events/hierarchy/later"));
                                assertThat(heard.losses()).containsOnlyOnce("/events/hierarchy");
                            }
                        }));
    }

    @Test
    void publishesAgainAfterARestart() {
        List<Object> heard = new CopyOnWriteArrayList<>();
        LockEventPublisher publisher = new LockEventPublisher(Map.of("zkLockRegistry", registry), heard::add);
        publisher.start();
        publisher.stop();
        publisher.start();

        evictNew("/events/restart");

        Awaitility.await().until(() -> heard.stream().anyMatch(LockLostEvent.class::isInstance));
        assertThat(heard).filteredOn(LockLostEvent.class::isInstance).hasSize(1);
    }

    private TestApplication withRegistry() {
        return TestApplication.withoutRegistry()
                .withBeans(Heard.class)
                .withBean(
                        "zkLockRegistry",
                        LockRegistry.class,
                        () -> registry,
                        definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName(""));
    }

    private void evictNew(String name) {
        try {
            evict(registry.lock(name).acquire());
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while evicting", e);
        }
    }

    private void evict(LockHandle handle) throws InterruptedException {
        String name = handle.name().value();
        String seat = registry.inspector().queue(name).get(0).id();
        assertThat(registry.inspector().evict(name, seat)).isTrue();
        Awaitility.await().until(() -> handle.state() == LockState.LOST);
    }

    static final class Heard {

        final List<Object> events = new CopyOnWriteArrayList<>();

        List<String> losses() {
            return events.stream()
                    .filter(LockLostEvent.class::isInstance)
                    .map(event -> ((LockLostEvent) event).name().value())
                    .toList();
        }

        @EventListener
        void lost(LockLostEvent event) {
            events.add(event);
        }

        @EventListener
        void heldLong(LockHeldLongEvent event) {
            events.add(event);
        }
    }
}
