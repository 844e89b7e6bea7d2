package io.github.zklock.autoconfigure.startup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.fixture.Operator;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A base path that another client creates, before or at the same time, with open access. */
class OpenBasePathTest {

    @Test
    void anOpenBasePathUnderALimitedListIsWarnedOf() {
        create("/opened");

        assertThat(warningsOf("/opened", "creator-all"))
                .singleElement()
                .asString()
                .contains("The base path /opened is open to every client", "zk.lock.acl", "zk.lock.base-path");
    }

    @Test
    void aBasePathOfOurOwnIsNot() {
        assertThat(warningsOf("/limited", "creator-all")).isEmpty();
        assertThat(warningsOf("/limited-too", "read-for-world")).isEmpty();
    }

    @Test
    void anOpenBasePathUnderAnOpenListIsNot() {
        create("/opened-on-purpose");

        assertThat(warningsOf("/opened-on-purpose", "open")).isEmpty();
    }

    private static void create(String path) {
        try (Operator stranger = new Operator(Contexts.server().connectString())) {
            stranger.create(path, "", CreateMode.PERSISTENT);
        }
    }

    private static List<String> warningsOf(String basePath, String acl) {
        try (LogRecording log = new LogRecording("io.github.zklock.autoconfigure", Level.WARN)) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockStartupAutoConfiguration.class))
                    .withPropertyValues(
                            "zk.lock.connect-string=" + Contexts.server().connectString(),
                            "zk.lock.startup-timeout=60s",
                            "zk.lock.base-path=" + basePath,
                            "zk.lock.acl=" + acl,
                            "zk.lock.auth.username=alice",
                            "zk.lock.auth.password=wonderland")
                    .run(context -> assertThat(context).hasNotFailed());
            return log.messagesOf("AccessCheck");
        }
    }
}
