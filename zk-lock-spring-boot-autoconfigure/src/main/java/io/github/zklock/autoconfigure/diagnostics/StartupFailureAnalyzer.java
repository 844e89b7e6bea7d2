package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.autoconfigure.ZkLockStartupException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Tells of servers that cannot be used, or must not be, at start-up. */
@Order(BeforeGeneralOnes.ORDER)
final class StartupFailureAnalyzer extends AbstractFailureAnalyzer<ZkLockStartupException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ZkLockStartupException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.remedy(), cause);
    }
}
