package io.github.zklock.zookeeper.internal.job;

import io.github.zklock.LockName;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The jobs that this process has called in the middle of the window of a run: their timers are faster than the window. A
 * call of such a timer before the end of that window is not tolerated.
 *
 * <p>Not guaranteed: jobs beyond {@link #MOST_JOBS} are forgotten, those first that were not called for the longest time.
 */
final class FastTimers {

    static final int MOST_JOBS = 1_000;

    /** For each job, when the run began in whose window the last call came. */
    private final Map<LockName, Instant> runs = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockName, Instant> eldest) {
            return size() > MOST_JOBS;
        }
    });

    /** Adds a job that was called in the middle of the window of the run that began at this instant. */
    void add(LockName job, Instant run) {
        runs.put(job, run);
    }

    /** Returns whether the job was called in the middle of the window of this run. */
    boolean contains(LockName job, Instant run) {
        return run.equals(runs.get(job));
    }
}
