/**
 * What the code that runs annotated methods shares with its neighbours: settings and defaults of {@link
 * io.github.zklock.annotation.DistributedLock}, the contract with transactions, and the failure of the start-up check.
 * Imports the core, {@code annotation} and Spring. The rooms below {@code internal} are for {@code config} and for
 * zk-lock-spring-boot-autoconfigure alone; {@code declaration}, {@code call} and {@code advice} each import this package
 * and the rooms named before.
 */
@NullMarked
package io.github.zklock.aop;

import org.jspecify.annotations.NullMarked;
