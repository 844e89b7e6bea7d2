package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class ZkLockConsoleAutoConfigurationTest {

    private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(
            EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class, ZkLockConsoleAutoConfiguration.class);

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(CONFIGURATIONS)
            .withBean("zkLockRegistry", LockRegistry.class, ZkLockConsoleAutoConfigurationTest::registry);

    private final WebApplicationContextRunner exposed =
            application.withPropertyValues("management.endpoints.web.exposure.include=lockconsole");

    @Test
    void thePageIsPresentIfExposed() {
        exposed.run(context -> assertThat(context).hasSingleBean(LockConsoleEndpoint.class));
    }

    @Test
    void thePageIsAbsentUnlessExposed() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockConsoleEndpoint.class));
    }

    @Test
    void thePageIsAbsentWithoutAccess() {
        exposed.withPropertyValues("management.endpoint.lockconsole.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockConsoleEndpoint.class));
    }

    @Test
    void thePageIsAbsentWithoutARegistry() {
        new WebApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues("management.endpoints.web.exposure.include=lockconsole")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockConsoleEndpoint.class));
    }

    @Test
    void backsOff() {
        LockConsoleEndpoint own =
                new LockConsoleEndpoint(new StaticListableBeanFactory().getBeanProvider(PathMappedEndpoints.class));
        exposed.withBean(LockConsoleEndpoint.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(LockConsoleEndpoint.class)).isSameAs(own));
    }

    @Test
    void aNativeImageContainsTheFilesOfThePage() {
        RuntimeHints hints = new RuntimeHints();

        new ZkLockConsoleAutoConfiguration.Files().registerHints(hints, null);

        assertThat(hints)
                .matches(RuntimeHintsPredicates.resource().forResource("io/github/zklock/console/index.html"))
                .matches(RuntimeHintsPredicates.resource().forResource("io/github/zklock/console/console.js"));
    }

    private static LockRegistry registry() {
        return ZooKeeperLockRegistry.builder().connectString("127.0.0.1:1").build();
    }
}
