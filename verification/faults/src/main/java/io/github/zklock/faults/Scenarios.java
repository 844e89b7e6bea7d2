package io.github.zklock.faults;

import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.scenario.Applications;
import io.github.zklock.faults.scenario.AtEachStep;
import io.github.zklock.faults.scenario.Deadlocks;
import io.github.zklock.faults.scenario.DeposedLeaders;
import io.github.zklock.faults.scenario.Fleets;
import io.github.zklock.faults.scenario.LateReplies;
import io.github.zklock.faults.scenario.LateWrites;
import io.github.zklock.faults.scenario.LeadersAndJobs;
import io.github.zklock.faults.scenario.ManyLocks;
import io.github.zklock.faults.scenario.Overload;
import io.github.zklock.faults.scenario.Pauses;
import io.github.zklock.faults.scenario.Queues;
import io.github.zklock.faults.scenario.RandomFaults;
import io.github.zklock.faults.scenario.Sequences;
import io.github.zklock.faults.scenario.ServerFaults;
import io.github.zklock.faults.scenario.Sessions;
import io.github.zklock.faults.scenario.SharedLocks;
import io.github.zklock.faults.scenario.SlowDisks;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** All fault scenarios. */
final class Scenarios {

    private static final List<Class<?>> CLASSES = List.of(
            Pauses.class,
            ServerFaults.class,
            SharedLocks.class,
            RandomFaults.class,
            Queues.class,
            AtEachStep.class,
            LateReplies.class,
            LateWrites.class,
            Deadlocks.class,
            Applications.class,
            Fleets.class,
            ManyLocks.class,
            Overload.class,
            SlowDisks.class,
            Sequences.class,
            Sessions.class,
            DeposedLeaders.class,
            LeadersAndJobs.class);

    private Scenarios() {}

    /** Returns all scenarios, ordered by letter and number of their ids, then by name. */
    static List<Method> all() {
        return CLASSES.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(FaultScenario.class))
                .sorted(Comparator.comparing((Method scenario) -> id(scenario).charAt(0))
                        .thenComparing(scenario -> Integer.valueOf(id(scenario).substring(1)))
                        .thenComparing(Method::getName))
                .toList();
    }

    static String id(Method scenario) {
        return scenario.getAnnotation(FaultScenario.class).value();
    }

    /** Returns whether it is about load inside one process. */
    static boolean isOverload(Method scenario) {
        return scenario.getDeclaringClass() == Overload.class;
    }

    static List<Variant.Kind> kinds(Method scenario) {
        return List.of(Variants.Of.scenario(scenario).kinds());
    }
}
