package io.github.zklock.aop.internal.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.springframework.web.context.request.RequestAttributes;
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
        List<TaskDecorator> decorators = new ArrayList<>(List.of(CallerContext::withLog, CallerContext::withLocale));
        if (isPresent("org.springframework.web.context.request.RequestContextHolder")) {
            decorators.add(Request::with);
        }
        if (isPresent("org.springframework.security.concurrent.DelegatingSecurityContextRunnable")) {
            decorators.add(Security::with);
        }
        return decorators;
    }

    private static Runnable withLog(Runnable task) {
        Map<String, String> log = MDC.getCopyOfContextMap();
        return () -> {
            Map<String, String> outer = MDC.getCopyOfContextMap();
            setLog(log);
            try {
                task.run();
            } finally {
                setLog(outer);
            }
        };
    }

    private static void setLog(@Nullable Map<String, String> log) {
        if (log == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(log);
        }
    }

    private static Runnable withLocale(Runnable task) {
        LocaleContext locale = resolved(LocaleContextHolder.getLocaleContext());
        return () -> {
            LocaleContext outer = LocaleContextHolder.getLocaleContext();
            LocaleContextHolder.setLocaleContext(locale);
            try {
                task.run();
            } finally {
                LocaleContextHolder.setLocaleContext(outer);
            }
        };
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

        static Runnable with(Runnable task) {
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            return () -> {
                RequestAttributes outer = RequestContextHolder.getRequestAttributes();
                RequestContextHolder.setRequestAttributes(request);
                try {
                    task.run();
                } finally {
                    RequestContextHolder.setRequestAttributes(outer);
                }
            };
        }
    }

    /** Loaded only if Spring Security is present. */
    private static final class Security {

        static Runnable with(Runnable task) {
            return new DelegatingSecurityContextRunnable(task);
        }
    }
}
