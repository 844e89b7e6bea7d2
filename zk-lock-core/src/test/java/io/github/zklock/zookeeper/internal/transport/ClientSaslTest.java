package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whether clients of this library prepare for SASL, by which they ask for names of servers before they connect. */
class ClientSaslTest {

    @AfterEach
    void forgetLogins() {
        Configuration.setConfiguration(null);
    }

    @Test
    void withoutALoginTheyDoNot() throws Exception {
        assertThat(usesSasl(new ZKClientConfig())).isFalse();
    }

    @Test
    void withALoginForOthersTheyDoNot() throws Exception {
        logInAs("KafkaClient");

        assertThat(usesSasl(new ZKClientConfig())).isFalse();
    }

    @Test
    void withALoginTheyDo() throws Exception {
        logInAs("Client");

        assertThat(usesSasl(new ZKClientConfig())).isTrue();
    }

    @Test
    void whoeverNamesALoginHearsWhatIsWrongWithIt() throws Exception {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "LockClient");

        assertThat(usesSasl(config)).isTrue();
    }

    @Test
    void whoseLoginsCannotBeReadHearsOfIt() throws Exception {
        Configuration.setConfiguration(new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                throw new SecurityException("java.io.IOException: expected [;], read [end of file]");
            }
        });

        assertThat(usesSasl(new ZKClientConfig())).isTrue();
    }

    @Test
    void whoeverAsksForItGetsIt() throws Exception {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "true");

        assertThat(usesSasl(config)).isTrue();
    }

    /** Of a client of servers that are not there. */
    private static boolean usesSasl(ZKClientConfig config) throws Exception {
        ObservedZooKeeper.factory()
                .newZooKeeper("127.0.0.1:1", 1_000, event -> {}, false, config)
                .close();
        return config.isSaslClientEnabled();
    }

    private static void logInAs(String section) {
        Configuration.setConfiguration(new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return name.equals(section)
                        ? new AppConfigurationEntry[] {
                            new AppConfigurationEntry(
                                    DigestLoginModule.class.getName(), LoginModuleControlFlag.REQUIRED, Map.of())
                        }
                        : null;
            }
        });
    }
}
