package io.github.zklock.faults;

import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.scenario.Applications;
import io.github.zklock.faults.scenario.Clocks;
import io.github.zklock.faults.scenario.Cuts;
import io.github.zklock.faults.scenario.Databases;
import io.github.zklock.faults.scenario.Deadlines;
import io.github.zklock.faults.scenario.Deadlocks;
import io.github.zklock.faults.scenario.DeepStacks;
import io.github.zklock.faults.scenario.DeposedLeaders;
import io.github.zklock.faults.scenario.Errors;
import io.github.zklock.faults.scenario.Exits;
import io.github.zklock.faults.scenario.Expiries;
import io.github.zklock.faults.scenario.Fleets;
import io.github.zklock.faults.scenario.FollowerFaults;
import io.github.zklock.faults.scenario.Interrupts;
import io.github.zklock.faults.scenario.Jobs;
import io.github.zklock.faults.scenario.LargeSessions;
import io.github.zklock.faults.scenario.LateReplies;
import io.github.zklock.faults.scenario.LeaderFaults;
import io.github.zklock.faults.scenario.Leaderships;
import io.github.zklock.faults.scenario.Listeners;
import io.github.zklock.faults.scenario.LongSessions;
import io.github.zklock.faults.scenario.ManyLocks;
import io.github.zklock.faults.scenario.OrphanedSeats;
import io.github.zklock.faults.scenario.Outages;
import io.github.zklock.faults.scenario.Pauses;
import io.github.zklock.faults.scenario.Queues;
import io.github.zklock.faults.scenario.RandomFaults;
import io.github.zklock.faults.scenario.Sequences;
import io.github.zklock.faults.scenario.SessionLimits;
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
            FollowerFaults.class,
            LeaderFaults.class,
            Outages.class,
            SharedLocks.class,
            RandomFaults.class,
            Queues.class,
            Cuts.class,
            LateReplies.class,
            OrphanedSeats.class,
            Interrupts.class,
            Errors.class,
            Deadlines.class,
            Deadlocks.class,
            Applications.class,
            Databases.class,
            Listeners.class,
            Fleets.class,
            LongSessions.class,
            ManyLocks.class,
            SlowDisks.class,
            Sequences.class,
            Clocks.class,
            Expiries.class,
            SessionLimits.class,
            Exits.class,
            LargeSessions.class,
            DeposedLeaders.class,
            DeepStacks.class,
            Leaderships.class,
            Jobs.class);

    private Scenarios() {}

    /** Returns all scenarios, ordered by letter and number of their ids, then by name. */
    static List<Method> all() {
        return CLASSES.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(FaultScenario.class))
                .sorted(Comparator.comparing(Scenarios::letter)
                        .thenComparing(Scenarios::number)
                        .thenComparing(Method::getName))
                .toList();
    }

    static String id(Method scenario) {
        return scenario.getAnnotation(FaultScenario.class).value();
    }

    static List<Variant.Kind> kinds(Method scenario) {
        return List.of(scenario.getAnnotation(FaultScenario.class).kinds());
    }

    private static char letter(Method scenario) {
        return id(scenario).charAt(0);
    }

    private static int number(Method scenario) {
        return Integer.parseInt(id(scenario).substring(1));
    }
}
