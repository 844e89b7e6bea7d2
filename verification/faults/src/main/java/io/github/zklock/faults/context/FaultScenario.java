package io.github.zklock.faults.context;

import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A method that gets a {@link ScenarioContext} and does something bad on it; all checkers judge afterwards. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FaultScenario {

    /** Its id in the failure catalogue. */
    String value();

    /** The smallest set of scenarios that it is in. */
    Tier tier() default Tier.QUICK;

    /** It proves nothing with fewer grants. */
    int grants();

    /** It proves nothing with fewer changes from one process to another. */
    int handOvers() default 0;

    /** It proves nothing if the lock was never shared by so many; a permit counts as one, and so does a reader. */
    int together() default 1;

    /** It proves nothing with fewer losses told. */
    int losses() default 0;

    /** It proves nothing if fewer stale writes were refused; a floor for kinds of lock whose holder is alone. */
    int refused() default 0;

    /** It proves nothing with fewer faults. */
    int faults() default 1;

    /** The kinds of lock that it can be played with. */
    Kind[] kinds() default {Kind.EXCLUSIVE, Kind.READ_WRITE, Kind.SEMAPHORE};

    /** How turns may go round within its clients. */
    Policy[] policies() default {Policy.BOUNDED, Policy.STRICT, Policy.LINGER};

    /** The ways in which its clients can take locks. */
    Surface[] surfaces() default {Surface.REGISTRY, Surface.FUTURE, Surface.ANNOTATION};

    /** Whether the servers are not used again afterwards, because this scenario may leave them beyond repair. */
    boolean ownServers() default false;

    /** Whether the locks of others can be asked to play it. */
    boolean peers() default false;
}
