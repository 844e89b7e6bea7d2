package io.github.zklock.zookeeper.internal.engine;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Schedules in which, besides all else, an Error hits the engines at any call and any allocation. (L26) */
final class SimErrorRun {

    private SimErrorRun() {}

    /**
     * What is wrong after so many schedules: violations, and what shows that the errors did not come.
     *
     * @param kinds the name of one of {@link SimKinds}
     */
    static List<String> run(String kinds, long firstSeed, long schedules) throws ReflectiveOperationException {
        Method woven = new ErrorPoints()
                .loadClass(SimErrorRun.class.getName())
                .getDeclaredMethod("runHere", String.class, long.class, long.class);
        woven.setAccessible(true);
        @SuppressWarnings("unchecked")
        List<String> wrong = (List<String>) woven.invoke(null, kinds, firstSeed, schedules);
        return wrong;
    }

    /** In the classes that {@link ErrorPoints} has loaded. */
    static List<String> runHere(String kinds, long firstSeed, long schedules) throws InterruptedException {
        SimKinds asked = SimKinds.valueOf(kinds);
        SimRunner.Summary summary = new SimRunner(asked, firstSeed, schedules).run(progress -> {});
        List<String> wrong = new ArrayList<>(new SimReport(summary, asked, firstSeed).failures());
        long replaced = summary.tally().count(SimStep.ENGINE_REPLACED);
        if (replaced < schedules / 2) {
            wrong.add("hollow: only " + replaced + " engines were replaced in " + schedules + " schedules");
        }
        return wrong;
    }
}
