package io.github.zklock.transaction;

import java.util.Set;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * Settings of locks in transactions.
 *
 * @param inTransaction when a lock that is acquired inside a running transaction is released
 * @param checkPermits whether a lost or suspended permit of a semaphore prevents the commit, as a lock does
 * @param exemptManagers names of the transaction managers whose commits are not checked
 */
// AopInfrastructureBean: otherwise Spring would search for advisors for this bean and create advisors of the
// application too early
public record TransactionSettings(InTransaction inTransaction, boolean checkPermits, Set<String> exemptManagers)
        implements AopInfrastructureBean {

    public TransactionSettings {
        exemptManagers = Set.copyOf(exemptManagers);
    }
}
