package io.github.zklock.autoconfigure;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Which of the application's clients locks use: the one with our name, else the only or the primary one. */
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
