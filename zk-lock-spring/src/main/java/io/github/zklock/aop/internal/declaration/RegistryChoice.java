package io.github.zklock.aop.internal.declaration;

import io.github.zklock.LockRegistry;
import io.github.zklock.aop.InvalidDistributedLockException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Checks that an annotation without a registry name has exactly one registry to use: the only one, or the preferred
 * one.
 */
final class RegistryChoice {

    private RegistryChoice() {}

    /**
     * Returns if the choice is unique. Creates no bean.
     *
     * @throws InvalidDistributedLockException if there is no registry, or no unique choice
     */
    static void check(ConfigurableListableBeanFactory beans, Place place) {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockRegistry.class, true, false);
        List<String> candidates = those(Stream.of(names).toList(), beans, BeanDefinition::isAutowireCandidate, true);
        if (candidates.isEmpty()) {
            throw place.invalid(
                    "needs a LockRegistry bean, but there is none",
                    "set zk.lock.connect-string and do not set zk.lock.enabled=false, or declare a LockRegistry bean,"
                            + " such as an in-memory one for tests");
        }
        if (candidates.size() > 1
                && those(candidates, beans, BeanDefinition::isPrimary, false).size() != 1
                && those(candidates, beans, definition -> !definition.isFallback(), true)
                                .size()
                        != 1) {
            throw place.invalid(
                    "names no registry, but there are several: " + String.join(", ", candidates),
                    "name one of them with registry, or make one @Primary");
        }
    }

    private static List<String> those(
            List<String> names,
            ConfigurableListableBeanFactory beans,
            Predicate<BeanDefinition> wanted,
            boolean withoutDefinition) {
        return names.stream()
                .filter(name -> beans.containsBeanDefinition(name)
                        ? wanted.test(beans.getMergedBeanDefinition(name))
                        : withoutDefinition)
                .toList();
    }
}
