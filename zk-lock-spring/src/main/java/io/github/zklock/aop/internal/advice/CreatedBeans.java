package io.github.zklock.aop.internal.advice;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * The names of the beans that Spring creates from their definitions. A bean that has a definition and is not among them
 * is an object that replaces the bean, such as the mock of a test.
 *
 * <p>Not guaranteed: beans that a {@link BeanDefinitionRegistryPostProcessor} of the application needs are not seen.
 */
final class CreatedBeans implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /** Starts before any bean factory post-processor can need a bean of the application. */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        // no bean of its own: Spring would count it twice, and warn of each bean that is created afterwards
        beans.addBeanPostProcessor(new Listener());
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        // of this type only because its other method then precedes all bean factory post-processors
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    private final class Listener implements MergedBeanDefinitionPostProcessor {

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
            names.add(name);
        }
    }
}
