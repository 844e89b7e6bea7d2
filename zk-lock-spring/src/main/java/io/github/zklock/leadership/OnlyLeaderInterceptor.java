package io.github.zklock.leadership;

import io.github.zklock.Leadership;
import io.github.zklock.LockName;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.support.SkippedCall;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/** Invokes methods with {@link OnlyLeader} if this process is the leader, and skips the call otherwise. */
final class OnlyLeaderInterceptor implements MethodInterceptor, AopInfrastructureBean {

    private static final Logger LOG = LoggerFactory.getLogger(OnlyLeaderInterceptor.class);

    private final ConfigurableListableBeanFactory beans;
    private final Map<MethodClassKey, LeaderMethod> known = new ConcurrentHashMap<>();

    private record LeaderMethod(Leadership leadership, SkippedCall skipped) {}

    OnlyLeaderInterceptor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        LeaderMethod method = method(invocation.getMethod(), type);
        if (method.leadership.isLeader()) {
            return invocation.proceed();
        }
        LOG.debug(
                "{} is skipped: this process is not the leader of '{}'",
                invocation.getMethod(),
                method.leadership.name());
        return method.skipped.value();
    }

    /**
     * Validates the annotation of a method.
     *
     * @throws IllegalStateException if there is no such leadership, or if a skipped call has no result
     */
    void check(Method method, Class<?> type) {
        method(method, type);
    }

    private LeaderMethod method(Method called, Class<?> type) {
        Method method = AopUtils.getMostSpecificMethod(called, type);
        MethodClassKey key = new MethodClassKey(method, type);
        LeaderMethod read = known.get(key);
        if (read == null) {
            // not in computeIfAbsent: the leadership may be a bean that is created now
            read = read(method, type);
            known.put(key, read);
        }
        return read;
    }

    private LeaderMethod read(Method method, Class<?> type) {
        OnlyLeader annotation = OnlyLeaderAdvisor.annotationOf(method, type);
        if (annotation == null) {
            throw invalid(method, "is on the class of the proxy, but not on the class of its target", "move it");
        }
        SkippedCall skipped = skipped(method)
                .orElseThrow(() -> invalid(
                        method,
                        "has a return type without a value that means 'skipped'",
                        "return void, boolean, Optional, a future or a nullable type"));
        return new LeaderMethod(leadership(annotation.value(), method), skipped);
    }

    private Leadership leadership(String text, Method method) {
        String resolved = beans.resolveEmbeddedValue(text);
        LockName name;
        try {
            name = LockName.of(resolved == null ? "" : resolved);
        } catch (IllegalArgumentException unusable) {
            throw invalid(method, "names no leadership: " + unusable.getMessage(), "correct it");
        }
        List<Leadership> found = Leaderships.of(beans).stream()
                .filter(each -> each.name().equals(name))
                .toList();
        if (found.isEmpty()) {
            throw invalid(
                    method,
                    "names the leadership '" + name + "', but there is no Leadership singleton of that name",
                    "set zk.lock.leadership[0].name to " + name + ", or declare the bean");
        }
        if (found.size() > 1) {
            throw invalid(
                    method,
                    "names the leadership '" + name + "', of which there are " + found.size()
                            + " beans, and only one of them can be the leader",
                    "remove the others");
        }
        return found.get(0);
    }

    private static Optional<SkippedCall> skipped(Method method) {
        Class<?> type = method.getReturnType();
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter != null && !Future.class.isAssignableFrom(type)) {
            return adapter.supportsEmpty()
                    ? Optional.of(new SkippedCall(adapter.getDescriptor().getEmptyValue()))
                    : Optional.empty();
        }
        return SkippedCall.of(method, type);
    }

    static IllegalStateException invalid(Method method, String problem, String remedy) {
        return new IllegalStateException(
                "@OnlyLeader on " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + "() "
                        + problem + "; " + remedy);
    }
}
