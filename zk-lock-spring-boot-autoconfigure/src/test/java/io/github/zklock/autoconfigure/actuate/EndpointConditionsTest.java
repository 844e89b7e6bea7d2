package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EndpointConditionsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZkLockEndpointAutoConfiguration.class))
            .withBean("zkLockRegistry", LockRegistry.class, EndpointConditionsTest::registry);

    private final ApplicationContextRunner exposed =
            application.withPropertyValues("management.endpoints.web.exposure.include=zklocks");

    @Test
    void isThereOverHttpWhereItIsExposed() {
        exposed.run(context ->
                assertThat(context).hasSingleBean(LocksEndpoint.class).hasSingleBean(LocksWebExtension.class));
    }

    @Test
    void isAbsentUnlessExposed() {
        application.run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void isAbsentWithoutAccess() {
        exposed.withPropertyValues("management.endpoint.zklocks.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void isAbsentWithoutActuator() {
        exposed.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void isAbsentWithoutARegistry() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ZkLockEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=zklocks")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void backsOff() {
        LocksEndpoint own = new LocksEndpoint(Map.of(), List::of, List::of, "shop-1", () -> false, null);
        LocksWebExtension ownExtension = new LocksWebExtension(own);
        exposed.withBean(LocksEndpoint.class, () -> own)
                .withBean(LocksWebExtension.class, () -> ownExtension)
                .run(context -> {
                    assertThat(context.getBean(LocksEndpoint.class)).isSameAs(own);
                    assertThat(context.getBean(LocksWebExtension.class)).isSameAs(ownExtension);
                });
    }

    @Test
    void requiresTheRegistryOfAReleaseIfThereAreSeveral() {
        exposed.withBean("elsewhere", LockRegistry.class, EndpointConditionsTest::registry)
                .run(context -> {
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);

                    assertThatThrownBy(() -> endpoint.release(new String[] {"orders"}, "seat", null))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("zkLockRegistry", "elsewhere", "'registry'");
                });
    }

    private static LockRegistry registry() {
        return ZooKeeperLockRegistry.builder().connectString("127.0.0.1:1").build();
    }
}
