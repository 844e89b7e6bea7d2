package io.github.zklock.test.autoconfigure;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;

/** Replaces the registries that the application declares, and keeps their bean names. */
final class ReplacedRegistries implements BeanDefinitionRegistryPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(ReplacedRegistries.class);

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry definitions) {
        // empty: types are known only when all definitions are registered
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(LockRegistry.class, true, false)) {
            if (!beans.isTypeMatch(name, InMemoryLockRegistry.class) && beans.containsBeanDefinition(name)) {
                LOG.info("Lock registry '{}' of the application is replaced by one in memory", name);
                replace(beans, name);
            }
        }
    }

    private static void replace(ConfigurableListableBeanFactory beans, String name) {
        BeanDefinition replaced = beans.getMergedBeanDefinition(name);
        RootBeanDefinition definition = new RootBeanDefinition(InMemoryLockRegistry.class);
        definition.setInstanceSupplier(() -> MemberAssembly.join(
                beans.getBean(InMemoryLockCluster.class),
                beans.getBean(ZkLockProperties.class),
                beans.getBean(Environment.class)));
        chooseAs(replaced, definition);
        definition.setDestroyMethodName("close");
        BeanDefinitionRegistry definitions = (BeanDefinitionRegistry) beans;
        definitions.removeBeanDefinition(name);
        definitions.registerBeanDefinition(name, definition);
    }

    /** Copies the settings by which Spring chooses among candidates, so that injection works as in production. */
    private static void chooseAs(BeanDefinition replaced, RootBeanDefinition definition) {
        definition.setPrimary(replaced.isPrimary());
        definition.setFallback(replaced.isFallback());
        definition.setAutowireCandidate(replaced.isAutowireCandidate());
        if (replaced instanceof RootBeanDefinition declared) {
            definition.setDefaultCandidate(declared.isDefaultCandidate());
            definition.copyQualifiersFrom(declared);
            // the method that may have a @Qualifier
            definition.setQualifiedElement(declared.getResolvedFactoryMethod());
        }
    }
}
