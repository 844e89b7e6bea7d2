package io.github.zklock.aop;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.core.Ordered;

/**
 * How annotated methods are intercepted.
 *
 * @param order of the advisor among others
 * @param classProxies whether proxies are subclasses of their targets, rather than implementations of their interfaces
 */
// infrastructure: a search for advisors, made for this bean, would create advisors of the application too early
public record AdviceSettings(int order, boolean classProxies) implements AopInfrastructureBean {

    /** Just outside transactions and caches, which have the lowest precedence. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1;
}
