package io.github.zklock.aop.method;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.TargetClassAware;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Rejects a bean whose object another post-processor has replaced before its proxy was made, because the proxy is then
 * around the replacement, which calls methods of the original object without their advice. A replacement of the finished
 * proxy is accepted. Invariant: this check runs directly after the proxy creator.
 */
final class ReplacementCheck implements BeanPostProcessor, Ordered, AopInfrastructureBean {

    private final CreatedBeans created;
    private final ObjectProvider<InterceptionCheck> check;

    /** @param check a provider, because other post-processors and the beans that they need are created earlier */
    ReplacementCheck(CreatedBeans created, ObjectProvider<InterceptionCheck> check) {
        this.created = created;
        this.check = check;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Class<?> made = created.typeOf(name);
        // the name of a factory bean is also that of its product
        if (made != null && !FactoryBean.class.isAssignableFrom(made) && !isOpaque(bean)) {
            Class<?> original = ClassUtils.getUserClass(made);
            Class<?> present = AopProxyUtils.ultimateTargetClass(bean);
            if (!original.isAssignableFrom(present)) {
                check.getObject().rejectReplacement(name, original, present);
            }
        }
        return bean;
    }

    /** Returns whether this is a proxy that does not show its target. */
    private static boolean isOpaque(Object bean) {
        return bean instanceof SpringProxy && !(bean instanceof TargetClassAware);
    }
}
