package io.github.zklock.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * Adds the check to the transaction managers that the application declares; Spring Boot adds it to its own. Exempts the
 * transactions of exempt managers.
 */
final class OwnershipCheckPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<OwnershipCheck> check;
    private final Set<String> exempt;
    private final LazyFence fence;

    OwnershipCheckPostProcessor(ObjectProvider<OwnershipCheck> check, Set<String> exempt, LazyFence fence) {
        this.check = check;
        this.exempt = exempt;
        this.fence = fence;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            if (exempt.contains(beanName) && bean instanceof PlatformTransactionManager) {
                replace(manager, new OwnershipCheck.Exemption());
            } else {
                check.ifAvailable(listener -> {
                    replace(manager, listener);
                    if (bean instanceof AbstractPlatformTransactionManager platform && fence.isDeclared()) {
                        addFirst(manager, new FencedTransactions(platform, listener, fence));
                    }
                });
            }
        }
        return bean;
    }

    private static void replace(ConfigurableTransactionManager manager, TransactionExecutionListener listener) {
        List<TransactionExecutionListener> listeners = listenersOf(manager);
        listeners.removeIf(OwnershipCheck.class::isInstance);
        listeners.add(listener);
        manager.setTransactionExecutionListeners(listeners);
    }

    /** Adds a listener before the others, whose statements would precede the one of the fence. */
    private static void addFirst(ConfigurableTransactionManager manager, FencedTransactions fenced) {
        List<TransactionExecutionListener> listeners = listenersOf(manager);
        listeners.removeIf(FencedTransactions.class::isInstance);
        listeners.add(0, fenced);
        manager.setTransactionExecutionListeners(listeners);
    }

    private static List<TransactionExecutionListener> listenersOf(ConfigurableTransactionManager manager) {
        // copy the collection, which may be immutable
        return new ArrayList<>(manager.getTransactionExecutionListeners());
    }
}
