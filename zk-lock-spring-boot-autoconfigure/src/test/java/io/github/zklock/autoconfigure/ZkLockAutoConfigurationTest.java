package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.aop.WaitTime;
import io.github.zklock.autoconfigure.startup.ZkLockStartupAutoConfiguration;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;

@ExtendWith(OutputCaptureExtension.class)
class ZkLockAutoConfigurationTest {

    @Test
    void aConnectStringIsEnoughToAcquireALock() {
        Contexts.connected().run(context -> {
            try (LockHandle handle =
                    context.getBean(LockRegistry.class).lock("/configured").acquire(Duration.ofSeconds(20))) {
                assertThat(handle.isHeld()).isTrue();
            }
            assertThat(context)
                    .hasBean("zkLockRegistry")
                    .hasBean("zkLockCuratorFramework")
                    .hasBean("zkLockConnectionDetails")
                    .doesNotHaveBean("lockRegistry");
        });
    }

    @Test
    void nothingIsConfiguredWhenDisabled() {
        Contexts.connected()
                .withPropertyValues("zk.lock.enabled=false", "zk.lock.session-timeout=0s")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LockRegistry.class)
                        .doesNotHaveBean(CuratorFramework.class)
                        .doesNotHaveBean(ZkLockProperties.class));
    }

    @Test
    void nothingIsConfiguredWithoutCurator() {
        Contexts.connected()
                .withClassLoader(new FilteredClassLoader(CuratorFramework.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
    }

    @Test
    void theStartFailsWithFourRemediesIfNoServersAreConfigured() {
        Contexts.bare()
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                ZkLockStartupException.class,
                                failure -> assertThat(failure.remedy())
                                        .contains(
                                                "zk.lock.connect-string",
                                                "ZkLockConnectionDetails",
                                                "zk-lock-embedded",
                                                "CuratorFramework")));
    }

    @Test
    void theApplicationsOwnRegistryNeedsNoServers() {
        Contexts.bare()
                .withUserConfiguration(OwnRegistry.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockRegistry.class)
                        .doesNotHaveBean("zkLockRegistry")
                        .doesNotHaveBean(RegistryLifecycle.class));
    }

    @Test
    void theApplicationsOwnRegistryMayHaveOurName() {
        Contexts.bare()
                .withConfiguration(AutoConfigurations.of(ZkLockStartupAutoConfiguration.class))
                .withUserConfiguration(OwnRegistryWithOurName.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RegistryLifecycle.class)
                        .doesNotHaveBean("zkLockStartupCheck"));
    }

    @Test
    void theConnectStringMayBecomeKnownAfterTheBeansWereChosen() {
        // as with ahead-of-time processing: the application is built without its runtime environment
        Contexts.bare()
                .withInitializer(context -> context.addBeanFactoryPostProcessor(beans -> TestPropertyValues.of(
                                "zk.lock.connect-string=" + Contexts.server().connectString())
                        .applyTo(context)))
                .run(context -> assertThat(context).hasNotFailed().hasBean("zkLockRegistry"));
    }

    @Test
    void theApplicationsOwnRegistryMayUseOurClient() {
        Contexts.connected()
                .withUserConfiguration(OwnRegistryOnOurClient.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasBean("ownRegistry")
                        .doesNotHaveBean("zkLockRegistry"));
    }

    @Test
    void theApplicationsOwnClientIsUsed() {
        Contexts.bare().withUserConfiguration(OwnClient.class).run(context -> {
            context.getBean(LockRegistry.class)
                    .lock("/on-own-client")
                    .acquire(Duration.ofSeconds(20))
                    .close();

            assertThat(context).hasSingleBean(CuratorFramework.class).doesNotHaveBean("zkLockCuratorFramework");
            assertThat(context.getBean("own", CuratorFramework.class).getState().name())
                    .isEqualTo("STARTED");
        });
    }

    @Test
    void connectionDetailsOfTheApplicationPrecedeTheConnectString() {
        Contexts.bare()
                .withPropertyValues("zk.lock.connect-string=nowhere.invalid:2181")
                .withBean(
                        "own",
                        ZkLockConnectionDetails.class,
                        () -> () -> Contexts.server().connectString())
                .run(context -> {
                    assertThat(context).hasSingleBean(ZkLockConnectionDetails.class);
                    assertThat(context.getBean("zkLockCuratorFramework", CuratorFramework.class)
                                    .getZookeeperClient()
                                    .getCurrentConnectionString())
                            .isEqualTo(Contexts.server().connectString());
                });
    }

    @Test
    void aMalformedConnectStringOfABeanIsRejected() {
        Contexts.bare()
                .withBean(ZkLockConnectionDetails.class, () -> () -> "localhost:abc")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidZkLockPropertyException.class)
                        .hasMessageStartingWith(
                                "The connect string of the ZkLockConnectionDetails bean 'localhost:abc'"));
    }

    @Test
    void aBlankConnectStringIsRejected() {
        Contexts.bare()
                .withPropertyValues("zk.lock.connect-string= ")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("zk.lock.connect-string is blank; use host:port,host:port, optionally followed by a"
                                + " path"));
    }

    @Test
    void aBlankConnectStringIsIgnoredIfABeanHasConnectionDetails() {
        Contexts.bare()
                .withPropertyValues("zk.lock.connect-string=")
                .withBean(
                        ZkLockConnectionDetails.class,
                        () -> () -> Contexts.server().connectString())
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void propertiesOfZooKeepersClientReachIt() {
        Contexts.connected()
                .withPropertyValues(
                        "zk.lock.client.properties.zookeeper.sasl.client=false",
                        "zk.lock.client.properties.zookeeper.sasl.clientconfig=LockClient",
                        "zk.lock.acl=creator-all",
                        "zk.lock.base-path=/by-login")
                .run(context -> {
                    ZKClientConfig config = context.getBean(CuratorFramework.class)
                            .getZookeeperClient()
                            .getZooKeeper()
                            .getClientConfig();

                    assertThat(config.isSaslClientEnabled()).isFalse();
                    assertThat(config.getProperty("zookeeper.sasl.clientconfig"))
                            .isEqualTo("LockClient");
                });
    }

    @Test
    void callDefaultsOfTheApplicationAreUsed() {
        CallDefaults.Defaults never = new CallDefaults.Defaults(WaitTime.FOREVER, OnBusy.SKIP, OnLost.NOTIFY);

        Contexts.connected()
                .withBean("own", CallDefaults.class, () -> new CallDefaults() {
                    @Override
                    public Defaults of(LockName name) {
                        return never;
                    }

                    @Override
                    public Defaults general() {
                        return never;
                    }
                })
                .run(context ->
                        assertThat(context).hasSingleBean(CallDefaults.class).doesNotHaveBean("zkLockCallDefaults"));
    }

    @Test
    void severalClientsAreRejectedWithTheWaysToChoose() {
        Contexts.bare()
                .withUserConfiguration(TwoClients.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(ZkLockStartupException.class, failure -> {
                            assertThat(failure).hasMessageContainingAll("first", "second");
                            assertThat(failure.remedy())
                                    .contains("@Primary", "zkLockCuratorFramework", "defaultCandidate");
                        }));
    }

    @Test
    void thePrimaryOneOfSeveralClientsIsUsed() {
        Contexts.bare()
                .withUserConfiguration(OwnClient.class, PrimaryClient.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockRegistry.class));
    }

    @Test
    void theOneOfSeveralClientsWithOurNameIsUsed() {
        Contexts.bare()
                .withUserConfiguration(TwoClients.class, ClientWithOurName.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockRegistry.class));
    }

    @Test
    void propertiesWithoutEffectOnTheApplicationsClientAreNamedInOneWarning(CapturedOutput output) {
        Contexts.connected()
                .withUserConfiguration(OwnClient.class)
                .withPropertyValues(
                        "zk.lock.auth.username=alice",
                        "zk.lock.auth.password=wonderland",
                        "zk.lock.connection-timeout=4s",
                        "zk.lock.client.properties.zookeeper.request.timeout=1000")
                .run(context -> assertThat(output.getOut().lines().filter(line -> line.contains("have no effect")))
                        .singleElement()
                        .asString()
                        .contains("WARN")
                        .contains("zk.lock.connect-string, zk.lock.auth.username, zk.lock.auth.password,"
                                + " zk.lock.client.properties.zookeeper.request.timeout;")
                        .doesNotContain("connection-timeout", "wonderland"));
    }

    @Test
    void noWarningIsGivenWhereNothingIsWithoutEffect(CapturedOutput output) {
        Contexts.bare()
                .withPropertyValues("zk.lock.base-path=/elsewhere", "zk.lock.wait-time=3s")
                .withUserConfiguration(OwnClient.class)
                .run(context -> assertThat(output).doesNotContain("have no effect"));
    }

    @Test
    void customizersOfTheClientComeAfterThePropertiesAndInTheirOrder() {
        Contexts.connected()
                .withPropertyValues("zk.lock.session-timeout=11s")
                .withUserConfiguration(ClientCustomizers.class)
                .run(context -> {
                    assertThat(context.getBean(ClientCustomizers.class).seen).containsExactly(11_000, 12_000);
                    assertThat(context.getBean(CuratorFramework.class).getNamespace())
                            .isEqualTo("custom");
                });
    }

    @Test
    void customizersOfTheRegistryComeAfterTheProperties() {
        List<String> events = new ArrayList<>();

        Contexts.connected()
                .withPropertyValues("zk.lock.base-path=/by-property")
                .withBean(ZooKeeperLockRegistryCustomizer.class, () -> builder -> {
                    builder.basePath("/by-customizer");
                    events.add("customized");
                })
                .run(context -> {
                    context.getBean(LockRegistry.class)
                            .lock("/x")
                            .acquire(Duration.ofSeconds(20))
                            .close();

                    assertThat(events).containsExactly("customized");
                    assertThat(Contexts.server().stat("/by-customizer")).isPresent();
                    assertThat(Contexts.server().stat("/by-property")).isEmpty();
                });
    }

    @Test
    void theQueueNamesTheApplicationAndTheProcess() {
        Contexts.connected().withPropertyValues("spring.application.name=shop").run(context -> {
            LockRegistry registry = context.getBean(LockRegistry.class);
            try (LockHandle held = registry.lock("/named").acquire(Duration.ofSeconds(20))) {
                assertThat(registry.inspector().queue("/named").get(0).owner())
                        .hasValueSatisfying(owner -> assertThat(owner.instance())
                                .startsWith("shop-")
                                .endsWith("-" + ProcessHandle.current().pid()));
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {

        @Bean
        LockRegistry ownRegistry() {
            return ZooKeeperLockRegistry.builder()
                    .connectString(Contexts.server().connectString())
                    .closeOnExit(false)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistryWithOurName {

        @Bean
        ZooKeeperLockRegistry zkLockRegistry() {
            return ZooKeeperLockRegistry.builder()
                    .connectString(Contexts.server().connectString())
                    .closeOnExit(false)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistryOnOurClient {

        @Bean
        LockRegistry ownRegistry(CuratorFramework client) {
            return ZooKeeperLockRegistry.builder()
                    .client(client)
                    .closeOnExit(false)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean(destroyMethod = "close")
        CuratorFramework own() {
            return started();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryClient {

        @Primary
        @Bean(destroyMethod = "close")
        CuratorFramework preferred() {
            return started();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClientWithOurName {

        @Bean(destroyMethod = "close")
        CuratorFramework zkLockCuratorFramework() {
            return started();
        }
    }

    /** Two clients that are not started: the choice between them fails first, or another client is chosen. */
    @Configuration(proxyBeanMethods = false)
    static class TwoClients {

        @Bean(destroyMethod = "")
        CuratorFramework first() {
            return client();
        }

        @Bean(destroyMethod = "")
        CuratorFramework second() {
            return client();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClientCustomizers {

        private final List<Integer> seen = new ArrayList<>();

        @Bean
        @Order(2)
        CuratorFrameworkBuilderCustomizer second() {
            return builder -> {
                seen.add(builder.getSessionTimeoutMs());
                builder.namespace("custom");
            };
        }

        @Bean
        @Order(1)
        CuratorFrameworkBuilderCustomizer first() {
            return builder -> {
                seen.add(builder.getSessionTimeoutMs());
                builder.sessionTimeoutMs(12_000);
            };
        }
    }

    private static CuratorFramework started() {
        CuratorFramework client = client();
        client.start();
        return client;
    }

    private static CuratorFramework client() {
        return CuratorFrameworkFactory.newClient(Contexts.server().connectString(), new RetryOneTime(10));
    }
}
