package io.github.zklock.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds the check to the transaction managers that the application declares; Spring Boot adds it to its own. Exempts the
 * transactions of exempt managers.
 */
final class OwnershipCheckPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<OwnershipCheck> check;
    private final Set<String> exempt;

    OwnershipCheckPostProcessor(ObjectProvider<OwnershipCheck> check, Set<String> exempt) {
        this.check = check;
        this.exempt = exempt;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            if (exempt.contains(beanName) && bean instanceof PlatformTransactionManager) {
                replace(manager, new OwnershipCheck.Exemption());
            } else {
                check.ifAvailable(listener -> replace(manager, listener));
            }
        }
        return bean;
    }

    private static void replace(ConfigurableTransactionManager manager, TransactionExecutionListener listener) {
        // copy the collection, which may be immutable
        List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
        listeners.removeIf(OwnershipCheck.class::isInstance);
        listeners.add(listener);
        manager.setTransactionExecutionListeners(listeners);
    }
}
