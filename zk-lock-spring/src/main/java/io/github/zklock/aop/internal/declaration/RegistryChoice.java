package io.github.zklock.aop.internal.declaration;

import io.github.zklock.LockRegistry;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.aop.method.Place;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * Checks that an annotation without a registry name has exactly one registry to use: the only one, or the preferred
 * one.
 */
final class RegistryChoice {

    private RegistryChoice() {}

    /**
     * Returns if the choice is unique. Creates no bean.
     *
     * @throws InvalidAnnotationException if there is no registry, or no unique choice
     */
    static void check(ConfigurableListableBeanFactory beans, Place place) {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockRegistry.class, true, false);
        List<String> candidates = those(Stream.of(names).toList(), beans, RegistryChoice::isDefaultCandidate, true);
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
                .filter(name -> {
                    BeanDefinition definition = definitionOf(name, beans);
                    return definition == null ? withoutDefinition : wanted.test(definition);
                })
                .toList();
    }

    private static boolean isDefaultCandidate(BeanDefinition definition) {
        return definition.isAutowireCandidate()
                && (!(definition instanceof AbstractBeanDefinition candidate) || candidate.isDefaultCandidate());
    }

    /** Returns the definition of the bean in this context or in one above it; null if it was registered as an object. */
    private static @Nullable BeanDefinition definitionOf(String name, ConfigurableListableBeanFactory beans) {
        if (beans.containsBeanDefinition(name)) {
            return beans.getMergedBeanDefinition(name);
        }
        return beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory above
                ? definitionOf(name, above)
                : null;
    }
}
