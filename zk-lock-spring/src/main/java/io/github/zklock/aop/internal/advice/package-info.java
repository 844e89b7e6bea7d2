/**
 * The beans that intercept annotated methods and check them when the application starts. Imports all other rooms; only
 * {@link io.github.zklock.aop.internal.advice.DistributedLockConfiguration} is imported, by {@code config} and by
 * zk-lock-spring-boot-autoconfigure.
 */
@NullMarked
package io.github.zklock.aop.internal.advice;

import org.jspecify.annotations.NullMarked;
