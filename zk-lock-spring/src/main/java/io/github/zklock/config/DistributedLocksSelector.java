package io.github.zklock.config;

import io.github.zklock.aop.internal.advice.DistributedLockConfiguration;
import io.github.zklock.event.LockEventConfiguration;
import io.github.zklock.leadership.LeadershipConfiguration;
import io.github.zklock.transaction.LockTransactionConfiguration;
import io.github.zklock.transaction.ReactiveLockTransactionConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Selects the configurations whose libraries are on the class path. The import is deferred because, of two advisors of
 * equal order, the later one is inside. The advisor of transactional methods must be inside the transactions.
 */
final class DistributedLocksSelector implements DeferredImportSelector {

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        List<String> selected = new ArrayList<>(List.of(
                DistributedLockConfiguration.class.getName(),
                LockEventConfiguration.class.getName(),
                LeadershipConfiguration.class.getName()));
        if (isPresent("org.springframework.transaction.TransactionExecutionListener")) {
            selected.add(LockTransactionConfiguration.class.getName());
            if (isPresent("reactor.core.publisher.Mono")) {
                selected.add(ReactiveLockTransactionConfiguration.class.getName());
            }
        }
        return selected.toArray(String[]::new);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, DistributedLocksSelector.class.getClassLoader());
    }
}
