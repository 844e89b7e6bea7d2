package com.example.ordershop.demo.scenario;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Requires a Docker engine that has these images; otherwise the test is skipped. Pulls no image. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("docker")
@ExtendWith(RequiresImages.Condition.class)
@interface RequiresImages {

    String[] value();

    /** Checks that the images are present. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            try {
                DockerClientFactory.instance().client();
            } catch (RuntimeException none) {
                return ConditionEvaluationResult.disabled(
                        "SKIPPED: no Docker engine answers; start one, or see .ci/docker: " + none.getMessage());
            }
            for (String image : context.getRequiredTestClass()
                    .getAnnotation(RequiresImages.class)
                    .value()) {
                try {
                    DockerClientFactory.lazyClient().inspectImageCmd(image).exec();
                } catch (RuntimeException missing) {
                    return ConditionEvaluationResult.disabled("SKIPPED: the Docker engine has no image " + image
                            + "; pull it, or build it by .ci/docker: " + missing.getMessage());
                }
            }
            return ConditionEvaluationResult.enabled("the images are there");
        }
    }
}
