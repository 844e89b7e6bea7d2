package io.github.zklock.config;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.transaction.InTransaction;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Enables {@link io.github.zklock.annotation.DistributedLock} in a Spring context without Spring Boot. The context must
 * declare a {@link io.github.zklock.LockRegistry} bean:
 *
 * <pre>{@code
 * @Configuration
 * @EnableDistributedLocks
 * class Locks {
 *
 *     @Bean(destroyMethod = "close")
 *     LockRegistry lockRegistry() {
 *         return ZooKeeperLockRegistry.builder().connectString("zk-1:2181,zk-2:2181,zk-3:2181").build();
 *     }
 * }
 * }</pre>
 *
 * <p>If Spring's transaction support is on the class path, locks take part in transactions. Lost locks and long holds
 * are published as application events. With Spring Boot, use the starter instead of this annotation.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import({DistributedLocksSelector.class, DistributedLocksRegistrar.class})
public @interface EnableDistributedLocks {

    /** Order of the advisor among other advisors. By default, it is directly outside transactions and caches. */
    int order() default AdviceSettings.DEFAULT_ORDER;

    /** Whether proxies are subclasses of their targets even if the targets implement interfaces. */
    boolean proxyTargetClass() default false;

    /** When a lock that is acquired inside a running transaction is released. */
    InTransaction inTransaction() default InTransaction.HOLD;
}
