package io.github.zklock.autoconfigure;

import io.github.zklock.fixture.LocalZooKeeper;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The contexts of these tests, and the one server that they share: whoever sets an access list needs a base path of his
 * own, or the default one may become his.
 */
final class Contexts {

    private static final LocalZooKeeper SERVER = new LocalZooKeeper();

    private Contexts() {}

    static LocalZooKeeper server() {
        return SERVER;
    }

    static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, ZkLockAutoConfiguration.class));
    }

    static ApplicationContextRunner connected() {
        return bare().withPropertyValues("zk.lock.connect-string=" + SERVER.connectString());
    }
}
