package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.LocalZooKeeper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** Locks on two ensembles. */
class RegistriesTest extends AopTest {

    static class Orders {

        @DistributedLock(name = "/registries", waitTime = "0")
        public List<String> ofPrimary() {
            return heldNow();
        }

        @DistributedLock(name = "/registries", registry = "second", waitTime = "0")
        public List<String> ofSecond() {
            return heldNow();
        }

        @DistributedLock(name = "/registries/a", waitTime = "0")
        @DistributedLock(name = "/registries/b", registry = "second", waitTime = "0")
        public List<String> ofBoth() {
            return heldNow();
        }
    }

    @Test
    void eachLockIsThatOfItsRegistry() throws InterruptedException {
        try (LocalZooKeeper secondServer = new LocalZooKeeper();
                var othersOfSecond = TestApplication.registryAt(secondServer.connectString());
                LockHandle theirs = othersOfSecond.lock("/registries").acquire(PATIENCE)) {
            TestApplication.withoutRegistry()
                    .withBeans(Orders.class)
                    .withBean(
                            "first",
                            LockRegistry.class,
                            TestApplication::registry,
                            definition -> definition.setPrimary(true))
                    .withBean(
                            "second",
                            LockRegistry.class,
                            () -> TestApplication.registryAt(secondServer.connectString()))
                    .run(context -> {
                        Orders orders = context.getBean(Orders.class);

                        assertThat(orders.ofPrimary()).containsExactly("/registries");
                        assertThatThrownBy(orders::ofSecond).isInstanceOf(LockTimeoutException.class);
                        assertThat(orders.ofBoth()).containsExactly("/registries/a", "/registries/b");
                    });
        }
    }

    static class Plain {

        @DistributedLock(name = "/registries/plain", waitTime = "0")
        public List<String> run() {
            return heldNow();
        }
    }

    @Test
    void aRegistryThatIsNoDefaultCandidateNeedsNoPrimaryBesideIt() {
        TestApplication.withoutRegistry()
                .withBeans(Plain.class)
                .withBean("first", LockRegistry.class, TestApplication::registry)
                .withBean(
                        "second",
                        LockRegistry.class,
                        TestApplication::registry,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .run(context -> assertThat(context.getBean(Plain.class).run()).containsExactly("/registries/plain"));
    }

    @Test
    void aPrimaryRegistryOfTheParentContextIsChosen() {
        TestApplication.withoutRegistry()
                .withBean(
                        "first",
                        LockRegistry.class,
                        TestApplication::registry,
                        definition -> definition.setPrimary(true))
                .withBean("second", LockRegistry.class, TestApplication::registry)
                .run(parent -> TestApplication.withoutRegistry()
                        .withBeans(Plain.class)
                        .with(child -> child.setParent(parent))
                        .run(child ->
                                assertThat(child.getBean(Plain.class).run()).containsExactly("/registries/plain")));
    }
}
