package io.github.zklock.autoconfigure;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * Chooses the client for locks among the {@code CuratorFramework} beans: the bean with the name of this library, or
 * else the only or the primary one.
 */
final class ClientChoice {

    private ClientChoice() {}

    static CuratorFramework from(ListableBeanFactory beans) {
        if (beans.containsBean(ZkLockAutoConfiguration.CLIENT)) {
            return beans.getBean(ZkLockAutoConfiguration.CLIENT, CuratorFramework.class);
        }
        try {
            return beans.getBean(CuratorFramework.class);
        } catch (NoUniqueBeanDefinitionException several) {
            throw new AmbiguousZooKeeperClientException(List.of(beans.getBeanNamesForType(CuratorFramework.class)));
        }
    }
}
