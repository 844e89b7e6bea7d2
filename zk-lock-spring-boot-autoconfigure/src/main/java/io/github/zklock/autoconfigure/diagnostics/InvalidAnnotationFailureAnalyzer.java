package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.aop.method.InvalidAnnotationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because of invalid annotations. */
@Order(BeforeGeneralOnes.ORDER)
final class InvalidAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidAnnotationException cause) {
        return Mistakes.analyze(
                cause,
                InvalidAnnotationException.class,
                mistake -> mistake.place() + " " + mistake.problem(),
                InvalidAnnotationException::remedy);
    }
}
