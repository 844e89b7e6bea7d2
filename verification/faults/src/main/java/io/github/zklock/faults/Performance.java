package io.github.zklock.faults;

import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;

/**
 * One scenario in one variant.
 *
 * @param seed draws what the scenario leaves to chance
 */
record Performance(Method script, Variant variant, long seed) {

    FaultScenario scenario() {
        return script.getAnnotation(FaultScenario.class);
    }

    String id() {
        return scenario().value();
    }

    String name() {
        return script.getName();
    }

    /** The name of a folder for it. */
    String folder(int number) {
        return (number + "-" + id() + "-" + name() + "-" + variant)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.]+", "-");
    }

    /** What plays it again. */
    String command() {
        String who = variant.engine().equals(Timeline.OURS)
                ? "--variant \"" + variant + "\""
                : "--engine " + variant.engine();
        return "verification/faults/run --scenario %s --seed %d %s".formatted(name(), seed, who);
    }

    void play(Stage stage) throws Throwable {
        try {
            Object cast = script.getDeclaringClass().getDeclaredConstructor().newInstance();
            script.invoke(cast, stage);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
