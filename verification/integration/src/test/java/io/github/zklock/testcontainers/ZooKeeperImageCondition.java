package io.github.zklock.testcontainers;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Looks once whether containers of ZooKeeper can be run. Pulls nothing. */
final class ZooKeeperImageCondition implements ExecutionCondition {

    private static final class Answer {
        static final ConditionEvaluationResult RESULT = look();
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return Answer.RESULT;
    }

    private static ConditionEvaluationResult look() {
        try {
            DockerClientFactory.instance().client();
        } catch (RuntimeException none) {
            return ConditionEvaluationResult.disabled(
                    "SKIPPED: no Docker engine answers; start one, or see .ci/docker: " + none.getMessage());
        }
        try {
            DockerClientFactory.lazyClient()
                    .inspectImageCmd(ZooKeeperServer.IMAGE)
                    .exec();
            return ConditionEvaluationResult.enabled("the image is there");
        } catch (RuntimeException missing) {
            return ConditionEvaluationResult.disabled("SKIPPED: the Docker engine has no image " + ZooKeeperServer.IMAGE
                    + "; pull it, or build it by .ci/docker: " + missing.getMessage());
        }
    }
}
