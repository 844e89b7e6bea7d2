package io.github.zklock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.micrometer.common.KeyValue;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ObservationsTest extends ObservedLocks {

    private final TestApplication application =
            application().withBean(Desk.class, () -> new Desk(observations, registry));

    @Test
    void aCallIsObservedAsAnAcquisitionAndAHoldBelowItsCaller() {
        application.run(context -> {
            Observation request = Observation.start("request", observations);
            Observation seen;
            try (Observation.Scope current = request.openScope()) {
                seen = context.getBean(Desk.class).book("42");
                assertThat(observations.getCurrentObservation()).isSameAs(request);
            }
            request.stop();

            assertThat(stopped)
                    .extracting(LockObservationContext::getName)
                    .containsExactly("zklock.acquire", "zklock.hold");
            assertThat(stopped)
                    .extracting(each -> Objects.requireNonNull(each.getParentObservation()))
                    .allMatch(request::equals);
            assertThat(seen.getContext()).isSameAs(stopped.get(1));
        });
    }

    @Test
    void theTemplateIsATagAndTheNameIsNot() {
        application.run(context -> {
            context.getBean(Desk.class).book("42");

            LockObservationContext acquisition = stopped.get(0);
            LockObservationContext hold = stopped.get(1);
            assertThat(keys(acquisition.getLowCardinalityKeyValues()))
                    .containsOnly(
                            Map.entry("lock", "/desk/#{#order}"),
                            Map.entry("kind", "exclusive"),
                            Map.entry("outcome", "acquired"),
                            Map.entry("registry", "zkLockRegistry"));
            assertThat(keys(hold.getLowCardinalityKeyValues())).containsEntry("outcome", "released");
            assertThat(keys(hold.getHighCardinalityKeyValues()))
                    .containsEntry("lock.name", "/desk/42")
                    .containsKey("lock.token");
        });
    }

    @Test
    void aBusyLockIsATimeoutAndNoError() {
        application.run(context -> {
            try (LockHandle taken = registry.lock("/desk/busy").acquire()) {
                assertThatThrownBy(() -> context.getBean(Desk.class).bookAtOnce())
                        .isInstanceOf(LockTimeoutException.class);
                assertThat(taken.isHeld()).isTrue();
            }

            assertThat(stopped).singleElement().satisfies(acquisition -> {
                assertThat(acquisition.outcome()).isEqualTo(Outcome.TIMEOUT);
                assertThat(acquisition.getError()).isNull();
                assertThat(keys(acquisition.getHighCardinalityKeyValues()).get("lock.reason"))
                        .startsWith("Lock '/desk/busy' not acquired");
            });
        });
    }

    @Test
    void theExceptionOfTheMethodIsTheErrorOfTheHold() {
        application.run(context -> {
            assertThatThrownBy(() -> context.getBean(Desk.class).fail()).hasMessage("closed today");

            LockObservationContext hold = stopped.get(1);
            assertThat(hold.outcome()).isEqualTo(Outcome.ERROR);
            assertThat(hold.getError()).hasMessage("closed today");
        });
    }

    @Test
    void aLossIsTheOutcomeOfTheHold() {
        application.run(context -> {
            assertThatThrownBy(() -> context.getBean(Desk.class).lose()).isInstanceOf(LockLostException.class);

            LockObservationContext hold = stopped.get(1);
            assertThat(hold.outcome()).isEqualTo(Outcome.LOST);
            assertThat(hold.getError()).isInstanceOf(LockLostException.class);
        });
    }

    @Test
    void theObservationOfAReactiveCallIsAChildOfItsSubscribersObservation() throws Exception {
        LockObservations calls = new LockObservations(observations, List.of(), () -> "zkLockRegistry");
        Observation request = Observation.start("request", observations);
        Observation elsewhere = Observation.start("elsewhere", observations);
        CallObservation call = calls.begin(
                new LockObservations.Call("/desk", List.of(LockName.of("/desk")), LockKind.READ, 1, "zkLockRegistry"),
                key -> key.equals(LockObservations.CONTEXT_KEY) ? request : null);

        try (LockHandle handle = registry.lock("/desk").acquire();
                Observation.Scope ofAnotherCall = elsewhere.openScope()) {
            call.acquired(handle);
            Object carried = call.carried().get(LockObservations.CONTEXT_KEY);
            call.ended(null);

            assertThat(stopped)
                    .extracting(each -> Objects.requireNonNull(each.getParentObservation()))
                    .containsExactly(request, request);
            assertThat(((Observation) Objects.requireNonNull(carried)).getContext())
                    .isSameAs(stopped.get(1));
            assertThat(observations.getCurrentObservation()).isSameAs(elsewhere);
        }
        elsewhere.stop();
        request.stop();
    }

    @Test
    void aCallWithoutAnObservationOfItsCallerHasNoParent() throws Exception {
        LockObservations calls = new LockObservations(observations, List.of(), () -> "zkLockRegistry");
        Observation elsewhere = Observation.start("elsewhere", observations);
        CallObservation call = calls.begin(
                new LockObservations.Call("/desk", List.of(LockName.of("/desk")), LockKind.READ, 1, "zkLockRegistry"),
                key -> null);

        try (LockHandle handle = registry.lock("/desk").acquire();
                Observation.Scope ofAnotherCall = elsewhere.openScope()) {
            call.acquired(handle);
            call.ended(null);
        }
        elsewhere.stop();

        assertThat(stopped).hasSize(2).allMatch(each -> each.getParentObservation() == null);
    }

    @Test
    void aConventionOfTheApplicationReplacesTheDefaultOfItsPhase() {
        application
                .withBean(
                        LockObservationConvention.class,
                        () -> new DefaultLockObservationConvention(LockObservationDocumentation.HOLD) {
                            @Override
                            public String getName() {
                                return "shop.hold";
                            }
                        })
                .run(context -> {
                    context.getBean(Desk.class).book("43");

                    assertThat(stopped)
                            .extracting(LockObservationContext::getName)
                            .containsExactly("zklock.acquire", "shop.hold");
                });
    }

    @Test
    void becomesMetersOfTheSameTags() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        application.run(context -> {
            context.getBean(Desk.class).book("44");

            assertThat(meters.get("zklock.acquire")
                            .tags("lock", "/desk/#{#order}", "outcome", "acquired", "error", "none")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("zklock.hold")
                            .tag("outcome", "released")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void allNamesAndKeysAreInTheDocs() throws Exception {
        String docs = Files.readString(Path.of("..", "docs", "operations.md"));

        for (LockObservationDocumentation observation : LockObservationDocumentation.values()) {
            assertThat(docs.contains("`" + observation.getName() + "`"))
                    .as(observation.getName())
                    .isTrue();
            assertThat(Arrays.asList(observation.getLowCardinalityKeyNames(), observation.getHighCardinalityKeyNames()))
                    .flatExtracting(Arrays::asList)
                    .extracting(KeyName::asString)
                    .allMatch(key -> docs.contains("`" + key + "`"));
        }
    }

    @Test
    void severalObservationRegistriesWithoutAPrimaryOneDoNotFailCalls() {
        application
                .withBean("anotherObservationRegistry", ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Desk.class).fail()).hasMessage("closed today");

                    assertThat(stopped).isEmpty();
                });
    }

    private static Map<String, String> keys(Iterable<KeyValue> values) {
        Map<String, String> keys = new TreeMap<>();
        values.forEach(each -> keys.put(each.getKey(), each.getValue()));
        return keys;
    }

    static class Desk {

        private final ObservationRegistry observations;
        private final LockRegistry registry;

        Desk(ObservationRegistry observations, LockRegistry registry) {
            this.observations = observations;
            this.registry = registry;
        }

        @DistributedLock(name = "/desk/#{#order}", waitTime = "60s")
        Observation book(String order) {
            return Objects.requireNonNull(observations.getCurrentObservation());
        }

        @DistributedLock(name = "/desk/busy", waitTime = "0")
        void bookAtOnce() {}

        @DistributedLock("/desk/fail")
        void fail() {
            throw new IllegalStateException("closed today");
        }

        @DistributedLock("/desk/lose")
        void lose() throws InterruptedException {
            LockHandle handle = LockContext.current("/desk/lose").orElseThrow();
            FencingToken token = handle.fencingToken();
            String seat = registry.inspector().queue("/desk/lose").get(0).id();
            registry.inspector().evict("/desk/lose", seat);
            Awaitility.await().until(() -> !handle.isHeld());
            assertThat(token).isEqualTo(handle.fencingToken());
        }
    }
}
