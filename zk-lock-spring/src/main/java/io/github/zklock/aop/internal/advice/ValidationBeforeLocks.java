package io.github.zklock.aop.internal.advice;

import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Moves the validation of arguments directly outside the lock of a method. Spring adds validation as the innermost
 * advice, so that a call with invalid arguments would wait for a lock, whose name contains these arguments.
 */
final class ValidationBeforeLocks implements BeanPostProcessor, AopInfrastructureBean {

    /** By name, because Bean Validation may be missing. */
    private static final String VALIDATION =
            "org.springframework.validation.beanvalidation.MethodValidationInterceptor";

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            List<Advisor> advisors = List.of(advised.getAdvisors());
            int lock = indexOfLock(advisors);
            for (int i = lock + 1; lock >= 0 && i < advisors.size(); i++) {
                if (isValidation(advisors.get(i))) {
                    advised.removeAdvisor(i);
                    advised.addAdvisor(lock, advisors.get(i));
                    break;
                }
            }
        }
        return bean;
    }

    private static int indexOfLock(List<Advisor> advisors) {
        for (int i = 0; i < advisors.size(); i++) {
            if (advisors.get(i) instanceof DefaultPointcutAdvisor advisor
                    && advisor.getAdvice() instanceof DistributedLockInterceptor) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isValidation(Advisor advisor) {
        // the advice of other advisors may be a bean that does not exist yet
        Class<?> advice = advisor.getClass() == DefaultPointcutAdvisor.class
                ? advisor.getAdvice().getClass()
                : Object.class;
        while (advice != Object.class && !advice.getName().equals(VALIDATION)) {
            advice = advice.getSuperclass();
        }
        return advice != Object.class;
    }
}
