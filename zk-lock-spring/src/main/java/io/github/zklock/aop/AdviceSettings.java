package io.github.zklock.aop;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.core.Ordered;

/**
 * Settings of the advisor that intercepts annotated methods.
 *
 * @param order order of the advisor among other advisors
 */
// AopInfrastructureBean: otherwise Spring would search for advisors for this bean and create advisors of the
// application too early
public record AdviceSettings(int order) implements AopInfrastructureBean {

    /** Directly outside the advisors of transactions and caches, whose order is the lowest precedence. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1;
}
