package io.github.zklock.faults;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that gets a {@link Scenario}, does something bad, and is judged by all checkers afterwards. */
@Test
@ExtendWith(ScenarioExtension.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface FaultScenario {

    /** Its id in the failure catalogue. */
    String value();

    /** It proves nothing with fewer grants. */
    int grants();

    /** It proves nothing with fewer changes from one process to another. */
    int handOvers() default 0;

    /** It proves nothing if the lock was never shared by so many; a permit counts as one, and so does a reader. */
    int together() default 1;

    /** It proves nothing with fewer losses told. */
    int losses() default 0;

    /** It proves nothing with fewer faults. */
    int faults() default 1;
}
