package io.github.zklock.config;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.transaction.InTransaction;
import io.github.zklock.transaction.TransactionSettings;
import java.util.stream.Stream;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** Registers the settings from the attributes of {@link EnableDistributedLocks}, and a proxy creator. */
final class DistributedLocksRegistrar implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        MergedAnnotation<EnableDistributedLocks> enable =
                importing.getAnnotations().get(EnableDistributedLocks.class);
        int order = enable.getInt("order");
        boolean proxyTargetClass = enable.getBoolean("proxyTargetClass");
        InTransaction inTransaction = enable.getEnum("inTransaction", InTransaction.class);
        register(registry, "zkLockAdviceSettings", AdviceSettings.class, order);
        register(registry, "zkLockTransactionSettings", TransactionSettings.class, inTransaction);
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (proxyTargetClass) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }

    /**
     * Registers a bean by its constructor arguments. Spring cannot generate code ahead of time for a bean with an
     * instance supplier.
     */
    private static void register(BeanDefinitionRegistry registry, String name, Class<?> type, Object... arguments) {
        BeanDefinitionBuilder bean =
                BeanDefinitionBuilder.rootBeanDefinition(type).setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        Stream.of(arguments).forEach(bean::addConstructorArgValue);
        registry.registerBeanDefinition(name, bean.getBeanDefinition());
    }
}
