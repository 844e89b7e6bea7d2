/**
 * Types that the code which runs annotated methods shares with its neighbours: settings and defaults of {@link
 * io.github.zklock.annotation.DistributedLock}, and the contract with transactions. Imports the core, {@code
 * annotation} and Spring. Only {@code config} and zk-lock-spring-boot-autoconfigure import the packages below {@code
 * internal}. Of these, {@code declaration} imports this package and {@code aop.method}, {@code call} also imports {@code
 * declaration}, and {@code advice} imports all of them.
 */
@NullMarked
package io.github.zklock.aop;

import org.jspecify.annotations.NullMarked;
