package io.github.zklock.faults;

import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.timeline.Timeline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;

/**
 * One scenario in one variant.
 *
 * @param seed the seed of the random choices of the scenario
 */
record ScenarioRun(Method scenario, Variant variant, long seed) {

    FaultScenario declaration() {
        return scenario.getAnnotation(FaultScenario.class);
    }

    String id() {
        return declaration().value();
    }

    String name() {
        return scenario.getName();
    }

    String folder(int number) {
        return (number + "-" + id() + "-" + name() + "-" + variant)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.]+", "-");
    }

    /** Returns the command that repeats this run. */
    String command() {
        String selection = variant.engine().equals(Timeline.OURS)
                ? "--variant \"" + variant + "\""
                : "--engine " + variant.engine();
        return "verification/faults/run --scenario %s --seed %d %s".formatted(name(), seed, selection);
    }

    void execute(ScenarioContext context) throws Throwable {
        try {
            Object instance =
                    scenario.getDeclaringClass().getDeclaredConstructor().newInstance();
            scenario.invoke(instance, context);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
