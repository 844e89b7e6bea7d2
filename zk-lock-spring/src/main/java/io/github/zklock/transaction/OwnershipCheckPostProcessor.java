package io.github.zklock.transaction;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/** Puts the check before the commits of transaction managers that the application made itself; Boot's have it already. */
final class OwnershipCheckPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<OwnershipCheck> check;

    OwnershipCheckPostProcessor(ObjectProvider<OwnershipCheck> check) {
        this.check = check;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            check.ifAvailable(listener -> add(listener, manager));
        }
        return bean;
    }

    private static void add(OwnershipCheck listener, ConfigurableTransactionManager manager) {
        if (!manager.getTransactionExecutionListeners().contains(listener)) {
            // a copy: theirs may be immutable
            List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
            listeners.add(listener);
            manager.setTransactionExecutionListeners(listeners);
        }
    }
}
