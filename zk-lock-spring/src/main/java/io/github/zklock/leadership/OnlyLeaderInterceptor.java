package io.github.zklock.leadership;

import io.github.zklock.Leadership;
import io.github.zklock.LockName;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.aop.method.AnnotatedMethods;
import io.github.zklock.aop.method.MethodAdvice;
import io.github.zklock.aop.method.Place;
import io.github.zklock.support.SkippedCall;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;

/** Invokes methods with {@link OnlyLeader} if this process is the leader, and skips the call otherwise. */
final class OnlyLeaderInterceptor implements MethodAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(OnlyLeaderInterceptor.class);

    private final AnnotatedMethods<OnlyLeader> annotations;
    private final ConfigurableListableBeanFactory beans;
    private final Map<MethodClassKey, LeaderMethod> known = new ConcurrentHashMap<>();

    private record LeaderMethod(Leadership leadership, SkippedCall skipped) {}

    OnlyLeaderInterceptor(AnnotatedMethods<OnlyLeader> annotations, ConfigurableListableBeanFactory beans) {
        this.annotations = annotations;
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

    @Override
    public void validate(Method method, Class<?> targetClass) {
        method(method, targetClass);
    }

    private LeaderMethod method(Method called, Class<?> type) {
        MethodClassKey key = new MethodClassKey(called, type);
        LeaderMethod read = known.get(key);
        if (read == null) {
            // not in computeIfAbsent: the leadership may be a bean that is created now
            read = read(called, type);
            known.put(key, read);
        }
        return read;
    }

    private LeaderMethod read(Method called, Class<?> type) {
        Method method = AopUtils.getMostSpecificMethod(called, type);
        Place place = annotations.place(method, type);
        List<OnlyLeader> found = annotations.of(called, type).annotations();
        if (found.isEmpty()) {
            throw place.invalid(
                    "is on the class of the proxy, but not on the class of its target", "annotate the target as well");
        }
        if (annotations.isAmbiguous(method, type)) {
            throw place.invalid(
                    "is declared differently on several methods or interfaces that this method implements",
                    "declare it on the method itself");
        }
        SkippedCall skipped = SkippedCall.of(method, SkippedCall.resultOf(method, type))
                .orElseThrow(() -> place.invalid(
                        "has a return type without a value that means 'skipped'",
                        "return void, boolean, Optional, a future, a reactive type or a @Nullable object"));
        return new LeaderMethod(leadership(found.get(0).value(), place), skipped);
    }

    private Leadership leadership(String text, Place place) {
        LockName name;
        try {
            String resolved = beans.resolveEmbeddedValue(text);
            name = LockName.of(resolved == null ? "" : resolved);
        } catch (IllegalArgumentException unusable) {
            throw place.invalid(
                    "names no leadership: " + unusable.getMessage(),
                    "write the name of a leadership, such as @OnlyLeader(\"/reports\")");
        }
        List<Leadership> all = List.copyOf(Leaderships.of(beans));
        List<Leadership> found =
                all.stream().filter(each -> each.name().equals(name)).toList();
        if (found.isEmpty()) {
            String others =
                    all.stream().map(each -> each.name().value()).sorted().collect(Collectors.joining(", "));
            throw place.invalid(
                    "names the leadership '" + name + "', but there is no Leadership singleton of that name",
                    "add " + name + " to zk.lock.leadership, or declare the bean"
                            + (others.isEmpty() ? "" : ", or name one of the existing ones: " + others));
        }
        if (found.size() > 1) {
            throw place.invalid(
                    "names the leadership '" + name + "', of which there are " + found.size()
                            + " beans, and only one of them can be the leader",
                    "remove the others");
        }
        return found.get(0);
    }
}
