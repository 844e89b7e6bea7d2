package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.aop.InvalidDistributedLockException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because of an invalid annotation. */
@Order(BeforeGeneralOnes.ORDER)
final class InvalidDistributedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidDistributedLockException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidDistributedLockException cause) {
        return new FailureAnalysis(
                "@DistributedLock on " + cause.place() + " " + cause.problem() + ".",
                Sentence.of(cause.remedy()),
                cause);
    }
}
