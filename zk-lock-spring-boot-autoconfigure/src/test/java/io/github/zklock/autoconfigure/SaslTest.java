package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.fixture.LocalZooKeeper;
import java.time.Duration;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SaslTest {

    /** In FIPS mode, ZooKeeper rejects passwords over SASL. */
    private static final String FIPS_MODE = "zookeeper.fips-mode";

    private static final String PROVIDER = "zookeeper.authProvider.sasl";
    private static final Map<String, Map<String, String>> SECTIONS = Map.of(
            "Server", Map.of("user_alice", "wonderland"),
            "LockClient", Map.of("username", "alice", "password", "wonderland"));

    private static LocalZooKeeper server;

    @BeforeAll
    static void startServer() {
        System.setProperty(FIPS_MODE, "false");
        System.setProperty(PROVIDER, "org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
        Configuration.setConfiguration(new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                Map<String, String> options = SECTIONS.get(name);
                return options == null
                        ? null
                        : new AppConfigurationEntry[] {
                            new AppConfigurationEntry(
                                    DigestLoginModule.class.getName(), LoginModuleControlFlag.REQUIRED, options)
                        };
            }
        });
        // earlier servers of this JVM have already filled the registry of providers
        ProviderRegistry.addOrUpdateProvider(PROVIDER);
        server = new LocalZooKeeper();
    }

    @AfterAll
    static void stopServer() {
        server.close();
        Configuration.setConfiguration(null);
        System.clearProperty(PROVIDER);
        System.clearProperty(FIPS_MODE);
    }

    @Test
    void theLoginOfAClientOfTheApplicationIsUsed() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "LockClient");
        config.setProperty(FIPS_MODE, "false");
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .zkClientConfig(config)
                .retryPolicy(new RetryOneTime(10))
                .build();
        client.start();
        Contexts.bare()
                .withBean(CuratorFramework.class, () -> client)
                .withPropertyValues("zk.lock.acl=creator-all", "zk.lock.base-path=/lent")
                .run(context -> {
                    try (LockHandle held =
                            context.getBean(LockRegistry.class).lock("/sasl").acquire(Duration.ofSeconds(20))) {
                        assertThat(client.getACL().forPath("/lent/sasl"))
                                .extracting(ACL::getId)
                                .containsExactly(new Id("sasl", "alice"));
                        assertThat(held.isHeld()).isTrue();
                    }
                });
    }

    @Test
    void theLoginSectionOfTheClientIsAProperty() {
        Contexts.bare()
                .withPropertyValues(
                        "zk.lock.connect-string=" + server.connectString(),
                        "zk.lock.client.properties.zookeeper.sasl.clientconfig=LockClient",
                        "zk.lock.client.properties.zookeeper.fips-mode=false",
                        "zk.lock.acl=creator-all")
                .run(context -> {
                    try (LockHandle held =
                            context.getBean(LockRegistry.class).lock("/sasl").acquire(Duration.ofSeconds(20))) {
                        assertThat(context.getBean(CuratorFramework.class)
                                        .getACL()
                                        .forPath("/locks/sasl"))
                                .extracting(ACL::getId)
                                .containsExactly(new Id("sasl", "alice"));
                        assertThat(held.isHeld()).isTrue();
                    }
                });
    }
}
