package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.observation.LockObservationContext;
import io.github.zklock.observation.LockObservationDocumentation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokenObservationTest extends AopTest {

    static class Orders {

        @DistributedLock("/orders")
        public Object work() {
            return heldNow();
        }
    }

    enum Step {
        ACQUISITION_STARTS,
        ACQUISITION_ENDS,
        HOLD_STARTS,
        SCOPE_OPENS,
        SCOPE_CLOSES,
        HOLD_ENDS
    }

    /** Fails at one step, like a handler with missing classes. */
    private record Broken(Step broken) implements ObservationHandler<LockObservationContext> {

        private void at(Step step) {
            if (step == broken) {
                throw new NoClassDefFoundError(step.name());
            }
        }

        private static boolean isAcquisition(LockObservationContext context) {
            return context.phase() == LockObservationDocumentation.ACQUIRE;
        }

        @Override
        public void onStart(LockObservationContext context) {
            at(isAcquisition(context) ? Step.ACQUISITION_STARTS : Step.HOLD_STARTS);
        }

        @Override
        public void onScopeOpened(LockObservationContext context) {
            at(Step.SCOPE_OPENS);
        }

        @Override
        public void onScopeClosed(LockObservationContext context) {
            at(Step.SCOPE_CLOSES);
        }

        @Override
        public void onStop(LockObservationContext context) {
            at(isAcquisition(context) ? Step.ACQUISITION_ENDS : Step.HOLD_ENDS);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof LockObservationContext;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anErrorOfAHandlerAffectsNeitherTheCallNorTheThread(Step step) {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new Broken(step));

        TestApplication.of(Orders.class)
                .withBean(ObservationRegistry.class, () -> observations)
                .run(context -> {
                    assertThat(context.getBean(Orders.class).work()).asString().isEqualTo("[/orders]");
                    assertThat(context.getBean(LockRegistry.class).inspector().held())
                            .isEmpty();
                    assertThat(observations.getCurrentObservation()).isNull();
                });
    }
}
