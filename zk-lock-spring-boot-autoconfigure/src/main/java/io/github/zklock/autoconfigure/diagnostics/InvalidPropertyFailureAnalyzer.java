package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because of an invalid property value. */
@Order(BeforeGeneralOnes.ORDER)
final class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidZkLockPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidZkLockPropertyException cause) {
        return new FailureAnalysis(cause.property() + " " + cause.fact() + ".", Sentence.of(cause.remedy()), cause);
    }
}
