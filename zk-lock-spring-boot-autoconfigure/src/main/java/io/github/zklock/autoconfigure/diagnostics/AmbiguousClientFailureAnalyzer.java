package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.autoconfigure.AmbiguousZooKeeperClientException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because no client for locks is chosen among several. */
@Order(BeforeGeneralOnes.ORDER)
final class AmbiguousClientFailureAnalyzer extends AbstractFailureAnalyzer<AmbiguousZooKeeperClientException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, AmbiguousZooKeeperClientException cause) {
        return new FailureAnalysis(
                "The lock registry needs one CuratorFramework bean, and found " + cause.candidates() + ".",
                "Mark one of them as @Primary, name the one for locks zkLockCuratorFramework, or exclude the others"
                        + " with @Bean(defaultCandidate = false).",
                cause);
    }
}
