package io.github.zklock.faults.context;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A scenario: a method that causes faults by means of a {@link ScenarioContext}. All checkers judge its timeline
 * afterwards. {@link Variants} states in which variants it can run.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FaultScenario {

    /** Sets of scenarios. Each set contains those before it. */
    enum Tier {
        SMOKE,
        QUICK,
        ALL
    }

    /** The id in the failure catalogue. */
    String value();

    /** The smallest set of scenarios that contains this one. */
    Tier tier() default Tier.QUICK;

    /** Least number of grants; with fewer the run is inconclusive. */
    int grants();

    /** Least number of changes of the lock from one process to another. */
    int handOvers() default 0;

    /** Least number of simultaneous holders; each reader and each permit counts. */
    int together() default 1;

    /** Least number of reported losses. */
    int losses() default 0;

    /** Least number of rejected stale writes, for kinds of lock with a single holder. */
    int refused() default 0;

    /** Least number of faults. */
    int faults() default 1;

    /** Whether the ensemble is discarded afterwards because the scenario may damage it. */
    boolean ownServers() default false;

    /** Whether the locks of other libraries can run it. */
    boolean peers() default false;
}
