package io.github.zklock.transaction;

import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * Settings of locks in transactions.
 *
 * @param inTransaction when a lock that is acquired inside a running transaction is released
 */
// AopInfrastructureBean: otherwise Spring would search for advisors for this bean and create advisors of the
// application too early
public record TransactionSettings(InTransaction inTransaction) implements AopInfrastructureBean {}
