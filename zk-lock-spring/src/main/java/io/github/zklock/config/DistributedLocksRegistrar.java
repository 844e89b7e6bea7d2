package io.github.zklock.config;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.support.MinimumHold;
import io.github.zklock.transaction.InTransaction;
import io.github.zklock.transaction.TransactionSettings;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** Registers what the attributes of {@link EnableDistributedLocks} say, and a proxy creator. */
final class DistributedLocksRegistrar implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        MergedAnnotation<EnableDistributedLocks> enable =
                importing.getAnnotations().get(EnableDistributedLocks.class);
        int order = enable.getInt("order");
        boolean proxyTargetClass = enable.getBoolean("proxyTargetClass");
        InTransaction inTransaction = enable.getEnum("inTransaction", InTransaction.class);
        register(
                registry,
                "zkLockAdviceSettings",
                AdviceSettings.class,
                () -> new AdviceSettings(order, proxyTargetClass));
        register(
                registry,
                "zkLockTransactionSettings",
                TransactionSettings.class,
                () -> new TransactionSettings(inTransaction, false, Set.of()));
        register(registry, "zkLockMinimumHold", MinimumHold.class, MinimumHold::new);
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (proxyTargetClass) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }

    private static <T> void register(
            BeanDefinitionRegistry registry, String name, Class<T> type, Supplier<T> instance) {
        registry.registerBeanDefinition(
                name,
                BeanDefinitionBuilder.rootBeanDefinition(type, instance)
                        .setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
                        .getBeanDefinition());
    }
}
