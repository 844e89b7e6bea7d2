package io.github.zklock.aop;

import java.lang.reflect.Method;
import org.springframework.core.KotlinDetector;

/** The parameters that a method was declared with: without the continuation that a suspending function gets besides. */
final class Parameters {

    private Parameters() {}

    static int count(Method method) {
        return KotlinDetector.isSuspendingFunction(method)
                ? method.getParameterCount() - 1
                : method.getParameterCount();
    }
}
