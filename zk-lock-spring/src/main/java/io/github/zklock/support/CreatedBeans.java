package io.github.zklock.support;

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
 * The names of the beans that Spring creates from their definitions. If a bean has a definition and is not in this set,
 * an object replaces the bean, such as the mock of a test.
 *
 * <p>Not guaranteed: beans that a {@link BeanDefinitionRegistryPostProcessor} of the application needs are missing from
 * this set, if it is ordered or registered as an object.
 */
public final class CreatedBeans implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private boolean listening;

    CreatedBeans() {}

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /** Starts to listen before an unordered post-processor can request a bean of the application. */
    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (registry instanceof ConfigurableListableBeanFactory beans) {
            listenTo(beans);
        }
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        listenTo(beans);
    }

    private void listenTo(ConfigurableListableBeanFactory beans) {
        if (!listening) {
            listening = true;
            // not a bean: Spring would register it twice, and warn about each bean that is created afterwards
            beans.addBeanPostProcessor(new Listener());
        }
    }

    /** Returns whether Spring has created the bean of this name. */
    public boolean contains(String name) {
        return names.contains(name);
    }

    private final class Listener implements MergedBeanDefinitionPostProcessor {

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
            names.add(name);
        }
    }
}
