package io.github.zklock.aop.method;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
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
 * <p>Not guaranteed: prototypes and inner beans that a {@link BeanDefinitionRegistryPostProcessor} of the application
 * needs are missing from this set, if it is ordered or registered as an object.
 */
final class CreatedBeans implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {

    /** The classes of the objects that Spring has created, by the names of their beans. */
    private final Map<String, Class<?>> types = new ConcurrentHashMap<>();

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
            addExisting(beans);
            // not a bean: Spring would register it twice, and warn about each bean that is created afterwards
            beans.addBeanPostProcessor(new Listener(beans));
        }
    }

    /** Adds the beans that post-processors needed which were created before this one was called. */
    private void addExisting(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.containsBeanDefinition(name) ? beans.getSingleton(name) : null;
            if (bean != null) {
                types.put(name, bean.getClass());
                withoutProxies.put(name, bean.getClass());
            }
        }
    }

    /** Returns whether Spring has created the bean of this name. */
    boolean contains(String name) {
        return types.containsKey(name);
    }

    /** Returns the class of the object that Spring has created for the bean of this name; null if it has created none. */
    @Nullable Class<?> typeOf(String name) {
        return types.get(name);
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
            types.put(name, type);
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
