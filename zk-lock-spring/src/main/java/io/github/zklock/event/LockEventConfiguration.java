package io.github.zklock.event;

import io.github.zklock.LockRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * Declares the beans that publish {@link LockLostEvent} and {@link LockHeldLongEvent} for all lock registries that the
 * context can use. Each listener of the context and of its ancestors receives an event once.
 */
@Configuration(proxyBeanMethods = false)
public final class LockEventConfiguration {

    private static final String PUBLISHER = "zkLockEventPublisher";

    /** Publishes the events of registries whose own context publishes none, to this context and to its ancestors. */
    @Bean(PUBLISHER)
    LockEventPublisher zkLockEventPublisher(ConfigurableListableBeanFactory beans, ApplicationEventPublisher context) {
        return new LockEventPublisher(registries(beans, false), context);
    }

    /** Publishes the events of registries whose own context publishes them too, to this context only. */
    @Bean
    LockEventPublisher zkLockInheritedEventPublisher(ConfigurableListableBeanFactory beans) {
        ApplicationEventMulticaster listeners = beans.getBean(
                AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, ApplicationEventMulticaster.class);
        return new LockEventPublisher(
                registries(beans, true), event -> listeners.multicastEvent(new PayloadApplicationEvent<>(this, event)));
    }

    private static Map<String, LockRegistry> registries(ConfigurableListableBeanFactory beans, boolean published) {
        BeanFactory parent = beans.getParentBeanFactory();
        boolean parentPublishes = parent != null && parent.containsBean(PUBLISHER);
        Map<String, LockRegistry> registries = new LinkedHashMap<>(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class));
        registries.keySet().removeIf(name -> published != (parentPublishes && !beans.containsLocalBean(name)));
        return registries;
    }
}
