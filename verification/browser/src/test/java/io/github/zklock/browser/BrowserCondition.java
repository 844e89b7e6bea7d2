package io.github.zklock.browser;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Looks whether there is a browser. Starts none. */
final class BrowserCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        for (Program each : Program.values()) {
            if (each.path().isEmpty()) {
                return ConditionEvaluationResult.disabled("SKIPPED: " + each.reasonOfAbsence());
            }
        }
        return ConditionEvaluationResult.enabled("Chromium and its driver are there");
    }
}
