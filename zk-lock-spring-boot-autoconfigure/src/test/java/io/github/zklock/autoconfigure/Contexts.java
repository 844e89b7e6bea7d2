package io.github.zklock.autoconfigure;

import io.github.zklock.fixture.LocalZooKeeper;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The contexts of these tests, and the one server that they share. A test that sets an access list must use a base path
 * of its own, because the list would stay on the default one.
 */
public final class Contexts {

    private static final LocalZooKeeper SERVER = new LocalZooKeeper();

    private Contexts() {}

    public static LocalZooKeeper server() {
        return SERVER;
    }

    public static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, ZkLockAutoConfiguration.class));
    }

    public static ApplicationContextRunner connected() {
        return bare().withPropertyValues("zk.lock.connect-string=" + SERVER.connectString());
    }
}
