package io.github.zklock.aop.internal.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.i18n.SimpleLocaleContext;
import org.springframework.context.i18n.SimpleTimeZoneAwareLocaleContext;
import org.springframework.context.i18n.TimeZoneAwareLocaleContext;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Passes the context that Spring binds to the thread of a caller to the thread of the method: log context, locale,
 * request and security context. By default, context propagation covers only the security context, and its library is
 * often missing.
 *
 * <p>Not guaranteed: that the request can be used after its response is complete.
 */
final class CallerContext {

    static final TaskDecorator DECORATOR = new CompositeTaskDecorator(decorators());

    private CallerContext() {}

    private static List<TaskDecorator> decorators() {
        List<TaskDecorator> decorators = new ArrayList<>();
        decorators.add(carrying(MDC::getCopyOfContextMap, UnaryOperator.identity(), CallerContext::setLog));
        decorators.add(carrying(
                LocaleContextHolder::getLocaleContext, CallerContext::resolved, LocaleContextHolder::setLocaleContext));
        if (isPresent("org.springframework.web.context.request.RequestContextHolder")) {
            decorators.add(Request.decorator());
        }
        if (isPresent("org.springframework.security.concurrent.DelegatingSecurityContextRunnable")) {
            decorators.add(Security.decorator());
        }
        return decorators;
    }

    /** Returns a decorator whose tasks run with a copy of the caller's value, and then restore that of their thread. */
    private static <T extends @Nullable Object> TaskDecorator carrying(
            Supplier<T> current, UnaryOperator<T> copy, Consumer<T> set) {
        return task -> {
            T callers = copy.apply(current.get());
            return () -> {
                T outer = current.get();
                set.accept(callers);
                try {
                    task.run();
                } finally {
                    set.accept(outer);
                }
            };
        };
    }

    private static void setLog(@Nullable Map<String, String> log) {
        if (log == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(log);
        }
    }

    /**
     * Copies the values. In a web application, the caller's context reads them from the request, which may be complete
     * before the method runs.
     */
    private static @Nullable LocaleContext resolved(@Nullable LocaleContext context) {
        if (context == null) {
            return null;
        }
        return context instanceof TimeZoneAwareLocaleContext zoned
                ? new SimpleTimeZoneAwareLocaleContext(zoned.getLocale(), zoned.getTimeZone())
                : new SimpleLocaleContext(context.getLocale());
    }

    private static boolean isPresent(String className) {
        return ClassUtils.isPresent(className, CallerContext.class.getClassLoader());
    }

    /** Loaded only in a web application. */
    private static final class Request {

        static TaskDecorator decorator() {
            return carrying(
                    RequestContextHolder::getRequestAttributes,
                    UnaryOperator.identity(),
                    RequestContextHolder::setRequestAttributes);
        }
    }

    /** Loaded only if Spring Security is present. */
    private static final class Security {

        static TaskDecorator decorator() {
            return DelegatingSecurityContextRunnable::new;
        }
    }
}
