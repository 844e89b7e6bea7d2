package io.github.zklock.transaction;

import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * The fence of the application, which is created at its first use: the beans that use it exist before the data sources.
 */
final class LazyFence implements Supplier<TransactionFence> {

    private final ListableBeanFactory beans;
    private final Supplier<TransactionFence> fence;

    LazyFence(ListableBeanFactory beans) {
        this.beans = beans;
        this.fence = SingletonSupplier.of(
                () -> beans.getBeanProvider(TransactionFence.class).getIfAvailable(() -> TransactionFence.NONE));
    }

    /** Returns whether the application declares a fence. Creates no bean. */
    boolean isDeclared() {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, TransactionFence.class, true, false).length
                > 0;
    }

    @Override
    public TransactionFence get() {
        return fence.get();
    }
}
