package io.github.zklock.transaction;

import java.util.Set;
import org.springframework.aop.framework.AopInfrastructureBean;

/**
 * How locks and transactions work together.
 *
 * @param inTransaction when a lock that is acquired inside a running transaction is released
 * @param checkPermits whether a permit of a semaphore that is lost or in doubt refuses the commit, as a lock does
 * @param exemptManagers names of transaction managers whose commits are not checked
 */
// infrastructure: a search for advisors, made for this bean, would create advisors of the application too early
public record TransactionSettings(InTransaction inTransaction, boolean checkPermits, Set<String> exemptManagers)
        implements AopInfrastructureBean {

    public TransactionSettings {
        exemptManagers = Set.copyOf(exemptManagers);
    }
}
