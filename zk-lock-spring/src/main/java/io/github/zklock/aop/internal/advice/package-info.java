/**
 * The beans that intercept annotated methods. Imports all other packages below {@code aop}.
 * {@code config} and zk-lock-spring-boot-autoconfigure import {@link
 * io.github.zklock.aop.internal.advice.DistributedLockConfiguration}, and no other class of this package.
 */
@NullMarked
package io.github.zklock.aop.internal.advice;

import org.jspecify.annotations.NullMarked;
