package io.github.zklock.aop.method;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.autoproxy.AbstractAutoProxyCreator;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * The beans that Spring creates from their definitions, and the beans that it creates before it can make proxies. If a bean
 * has a definition and is not in this set, an object replaces the bean, such as the mock of a test.
 *
 * <p>Not guaranteed: beans that a {@link BeanDefinitionRegistryPostProcessor} of the application needs are missing from
 * this set, if it is ordered or registered as an object.
 */
final class CreatedBeans implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Map<String, Class<?>> withoutProxies = new ConcurrentHashMap<>();
    private boolean listening;

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
            beans.addBeanPostProcessor(new Listener(beans));
        }
    }

    /** Returns whether Spring has created the bean of this name. */
    boolean contains(String name) {
        return names.contains(name);
    }

    /** Returns the classes of the beans that were created before Spring could make proxies, by the names of the beans. */
    Map<String, Class<?>> withoutProxies() {
        return withoutProxies;
    }

    /** Returns whether the context has already a post-processor that makes proxies. */
    static boolean canMakeProxies(ConfigurableListableBeanFactory beans) {
        return !(beans instanceof AbstractBeanFactory factory)
                || factory.getBeanPostProcessors().stream().anyMatch(AbstractAutoProxyCreator.class::isInstance);
    }

    private final class Listener implements MergedBeanDefinitionPostProcessor {

        private final ConfigurableListableBeanFactory beans;

        private Listener(ConfigurableListableBeanFactory beans) {
            this.beans = beans;
        }

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
            names.add(name);
        }

        /** Called for all beans: also for inner beans, prototypes and products of factory beans. */
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof SpringProxy) && !canMakeProxies(beans)) {
                withoutProxies.put(name, bean.getClass());
            }
            return bean;
        }
    }
}
