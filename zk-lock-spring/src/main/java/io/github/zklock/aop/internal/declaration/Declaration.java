package io.github.zklock.aop.internal.declaration;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockName;
import io.github.zklock.OncePer;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.aop.method.Place;
import io.github.zklock.observation.LockObservations;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The validated locks and rules that the annotations of one method declare. */
public final class Declaration {

    private final Place place;
    private final Method method;
    private final List<LockSpec> locks;
    private final CallRules rules;
    private final OnBusy onBusy;
    private final @Nullable Fallback fallback;
    private final ArgumentNames names;
    private final StandardEvaluationContext shared;
    private final Supplier<CallDefaults> defaults;

    /**
     * The request of all calls, if no part of it depends on a call. Threads may race to set it, because all values are
     * equal.
     */
    private volatile @Nullable LockRequest constant;

    Declaration(
            Place place,
            Method method,
            List<LockSpec> locks,
            CallRules rules,
            OnBusy onBusy,
            @Nullable Fallback fallback,
            ArgumentNames names,
            StandardEvaluationContext shared,
            Supplier<CallDefaults> defaults) {
        this.place = place;
        this.method = method;
        this.locks = locks;
        this.rules = rules;
        this.onBusy = onBusy;
        this.fallback = fallback;
        this.names = names;
        this.shared = shared;
        this.defaults = defaults;
    }

    public Place place() {
        return place;
    }

    public Method method() {
        return method;
    }

    /**
     * Returns the reaction to a busy lock that start-up validation assumes. The entry for the evaluated name can
     * replace it.
     */
    public OnBusy onBusy() {
        return onBusy;
    }

    public @Nullable Fallback fallback() {
        return fallback;
    }

    /** Returns what an observation records about a call with this request. */
    public LockObservations.Call observed(LockRequest request) {
        LockSpec first = locks.get(0);
        return new LockObservations.Call(
                template(), request.names(), first.kind(), first.permits(), first.registryName());
    }

    /** Returns the lock names before evaluation. */
    private String template() {
        return locks.size() == 1
                ? locks.get(0).name().text()
                : locks.stream().map(lock -> lock.name().text()).collect(Collectors.joining(","));
    }

    /**
     * Returns the request of this call.
     *
     * @throws IllegalArgumentException if a name cannot be evaluated
     */
    public LockRequest request(MethodInvocation invocation) {
        LockRequest known = constant;
        return known != null ? known : evaluate(invocation);
    }

    private LockRequest evaluate(MethodInvocation invocation) {
        Object target = Objects.requireNonNull(invocation.getThis(), "An advised object has a target");
        CallContext call = new CallContext(shared, names, target, method, invocation.getArguments());
        List<LockName> evaluated = new ArrayList<>(locks.size());
        for (LockSpec lock : locks) {
            try {
                evaluated.add(lock.name().evaluate(call));
            } catch (RuntimeException failed) {
                throw new IllegalArgumentException(
                        "The lock '%s' of %s cannot be named: %s. The method did not run"
                                .formatted(lock.name(), place, failed.getMessage()),
                        failed);
            }
        }
        LockRequest request = settle(evaluated);
        if (locks.stream().allMatch(lock -> lock.name().isLiteral())) {
            constant = request;
        }
        return request;
    }

    private LockRequest settle(List<LockName> evaluated) {
        CallDefaults.Defaults open = evaluated.stream()
                .map(defaults.get()::of)
                .reduce(CallDefaults.Defaults::stricter)
                .orElseThrow();
        return new LockRequest(
                source(evaluated),
                evaluated,
                rules.waitTime() == null ? open.waitTime() : rules.waitTime(),
                rules.onBusy() == OnBusy.AS_CONFIGURED ? open.onBusy() : rules.onBusy(),
                rules.onLost() == OnLost.AS_CONFIGURED ? open.onLost() : rules.onLost(),
                rules);
    }

    private LockRequest.Source source(List<LockName> evaluated) {
        OncePer window = rules.window();
        if (window != null) {
            return LockRequest.Source.of(
                    locks.get(0).registry().get().job(evaluated.get(0).value(), window));
        }
        if (locks.size() == 1) {
            return locks.get(0).source(evaluated.get(0));
        }
        ClusterLock[] all = new ClusterLock[locks.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = locks.get(i).lock(evaluated.get(i));
        }
        return LockRequest.Source.of(locks.get(0).registry().get().allOf(all));
    }
}
