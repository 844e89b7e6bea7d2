package io.github.zklock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Chooses the client for locks among the {@code CuratorFramework} beans: the bean with the name of this library, or
 * else the only or the primary one.
 */
final class ClientChoice {

    private static final Logger LOG = LoggerFactory.getLogger(ClientChoice.class);

    private static final List<String> OBEYED_BY_OURS = List.of(
            "zk.lock.connect-string",
            "zk.lock.session-timeout",
            "zk.lock.auth.username",
            "zk.lock.auth.password",
            "zk.lock.ssl.bundle");

    private ClientChoice() {}

    static CuratorFramework from(ListableBeanFactory beans) {
        if (beans.containsBean(ZkLockAutoConfiguration.CLIENT)) {
            return beans.getBean(ZkLockAutoConfiguration.CLIENT, CuratorFramework.class);
        }
        try {
            return beans.getBean(CuratorFramework.class);
        } catch (NoUniqueBeanDefinitionException several) {
            throw new ZkLockStartupException(
                    "The lock registry needs one CuratorFramework bean, and found "
                            + List.of(beans.getBeanNamesForType(CuratorFramework.class)),
                    "Mark one of them as @Primary, name the one for locks " + ZkLockAutoConfiguration.CLIENT
                            + ", or exclude the others with @Bean(defaultCandidate = false).",
                    null);
        }
    }

    /**
     * Warns of {@code zk.lock.*} properties that have no effect on the application's own client. One warning names all of
     * them. The connection timeout and the access list also apply to the registry, and keep their effect.
     */
    static void warnOfPropertiesWithoutEffect(Environment environment) {
        Binder binder = Binder.get(environment);
        List<String> set = Stream.concat(
                        OBEYED_BY_OURS.stream()
                                .filter(name -> binder.bind(name, String.class).isBound()),
                        binder
                                .bind("zk.lock.client.properties", Bindable.mapOf(String.class, String.class))
                                .orElse(Map.of())
                                .keySet()
                                .stream()
                                .sorted()
                                .map(key -> "zk.lock.client.properties." + key))
                .toList();
        if (!set.isEmpty()) {
            LOG.warn(
                    "Locks use the CuratorFramework bean of the application, on which these properties have no effect:"
                            + " {}; remove them, or configure that bean accordingly",
                    String.join(", ", set));
        }
    }
}
