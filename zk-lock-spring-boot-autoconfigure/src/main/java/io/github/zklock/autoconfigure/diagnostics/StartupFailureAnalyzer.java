package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.autoconfigure.ZkLockStartupException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because the servers cannot be reached or reject the client. */
@Order(BeforeGeneralOnes.ORDER)
final class StartupFailureAnalyzer extends AbstractFailureAnalyzer<ZkLockStartupException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ZkLockStartupException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.remedy(), cause);
    }
}
