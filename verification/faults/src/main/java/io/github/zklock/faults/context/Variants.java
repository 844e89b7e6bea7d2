package io.github.zklock.faults.context;

import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;

/**
 * The variants in which a scenario can run; without this annotation, in all. The annotation of a class applies to the
 * scenarios of the class that have none of their own.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Variants
public @interface Variants {

    /** The kinds of lock that the scenario can use. */
    Kind[] kinds() default {Kind.EXCLUSIVE, Kind.READ_WRITE, Kind.SEMAPHORE};

    /** The hand-off policies of its clients. */
    Policy[] policies() default {Policy.BOUNDED, Policy.STRICT, Policy.LINGER};

    /** The ways in which its clients can acquire locks. */
    Surface[] surfaces() default {Surface.REGISTRY, Surface.FUTURE, Surface.ANNOTATION};

    /** Finds the variants of scenarios. */
    final class Of {

        private Of() {}

        public static Variants scenario(Method scenario) {
            if (scenario.isAnnotationPresent(Variants.class)) {
                return scenario.getAnnotation(Variants.class);
            }
            Class<?> type = scenario.getDeclaringClass();
            return (type.isAnnotationPresent(Variants.class) ? type : Variants.class).getAnnotation(Variants.class);
        }
    }
}
