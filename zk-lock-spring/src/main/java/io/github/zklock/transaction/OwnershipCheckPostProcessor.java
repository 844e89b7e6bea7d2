package io.github.zklock.transaction;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * Adds the fence and the check to the transaction managers: the fence before other listeners, because its statement
 * precedes theirs, and the check after them, directly before the commit.
 */
final class OwnershipCheckPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<OwnershipCheck> check;
    private final LazyFence fence;

    OwnershipCheckPostProcessor(ObjectProvider<OwnershipCheck> check, LazyFence fence) {
        this.check = check;
        this.fence = fence;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            check.ifAvailable(last -> add(last, manager));
        }
        return bean;
    }

    private void add(OwnershipCheck last, ConfigurableTransactionManager manager) {
        // copy the collection, which may be immutable
        List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
        // Spring Boot has added the check to its own managers
        listeners.removeIf(each -> each instanceof OwnershipCheck || each instanceof FencedTransactions);
        listeners.add(last);
        if (manager instanceof AbstractPlatformTransactionManager platform && fence.isDeclared()) {
            listeners.add(0, new FencedTransactions(platform, fence));
        }
        manager.setTransactionExecutionListeners(listeners);
    }
}
