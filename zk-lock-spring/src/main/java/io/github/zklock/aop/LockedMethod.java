package io.github.zklock.aop;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.expression.EvaluationContext;

/** An annotated method of a class, validated: what all calls of it have in common. */
final class LockedMethod {

    private static final Logger LOG = LoggerFactory.getLogger(LockedMethod.class);

    private final Place place;
    private final Method method;
    private final List<LockSpec> locks;
    private final CallRules rules;
    private final CallShape shape;
    private final @Nullable Fallback fallback;
    private final HandleParameters parameters;
    private final ArgumentNames names;
    private final EvaluationContext shared;
    private final Surroundings surroundings;

    /** What all calls ask for, where no part of it depends on a call. Racy on purpose: all that is put here is equal. */
    private volatile @Nullable LockRequest constant;

    LockedMethod(
            Place place,
            Method method,
            List<LockSpec> locks,
            CallRules rules,
            CallShape shape,
            @Nullable Fallback fallback,
            ArgumentNames names,
            EvaluationContext shared,
            Surroundings surroundings) {
        this.place = place;
        this.method = method;
        this.locks = locks;
        this.rules = rules;
        this.shape = shape;
        this.fallback = fallback;
        this.parameters = HandleParameters.of(method);
        this.names = names;
        this.shared = shared;
        this.surroundings = surroundings;
    }

    Place place() {
        return place;
    }

    Method method() {
        return method;
    }

    List<LockSpec> locks() {
        return locks;
    }

    CallRules rules() {
        return rules;
    }

    CallShape shape() {
        return shape;
    }

    @Nullable Fallback fallback() {
        return fallback;
    }

    HandleParameters parameters() {
        return parameters;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /** The names before evaluation. */
    String template() {
        return locks.size() == 1
                ? locks.get(0).name().text()
                : locks.stream().map(lock -> lock.name().text()).collect(Collectors.joining(","));
    }

    /**
     * What a call with these arguments asks for; null if it needs no lock by its own account.
     *
     * @throws IllegalArgumentException if a name or a condition cannot be evaluated
     */
    @Nullable LockRequest request(Object target, @Nullable Object[] args) {
        LockRequest known = constant;
        return known != null ? known : evaluate(target, args);
    }

    private @Nullable LockRequest evaluate(Object target, @Nullable Object[] args) {
        EvaluationContext call = new CallContext(shared, names, new CallRoot(target, method, args));
        List<LockSpec> needed = new ArrayList<>(locks.size());
        List<LockName> evaluated = new ArrayList<>(locks.size());
        for (LockSpec lock : locks) {
            try {
                if (lock.condition() == null || lock.condition().holds(call)) {
                    needed.add(lock);
                    evaluated.add(lock.name().evaluate(call));
                }
            } catch (RuntimeException failed) {
                throw new IllegalArgumentException(
                        "The lock '%s' of %s cannot be named: %s. The method did not run"
                                .formatted(lock.name(), place, failed.getMessage()),
                        failed);
            }
        }
        if (needed.isEmpty()) {
            LOG.debug("{} runs without lock '{}': its condition is false", place, template());
            return null;
        }
        LockRequest request = settle(needed, evaluated);
        if (locks.stream()
                .allMatch(lock -> lock.condition() == null && lock.name().isLiteral())) {
            constant = request;
        }
        return request;
    }

    private LockRequest settle(List<LockSpec> needed, List<LockName> evaluated) {
        CallDefaults.Defaults defaults = evaluated.stream()
                .map(surroundings.defaults().get()::of)
                .reduce(LockedMethod::stricter)
                .orElseThrow();
        return new LockRequest(
                acquirable(needed, evaluated),
                List.copyOf(evaluated),
                rules.waitTime() == null ? defaults.waitTime() : rules.waitTime(),
                rules.onBusy() == OnBusy.AS_CONFIGURED ? defaults.onBusy() : rules.onBusy(),
                rules.onLost() == OnLost.AS_CONFIGURED ? defaults.onLost() : rules.onLost());
    }

    private static Acquirable acquirable(List<LockSpec> needed, List<LockName> evaluated) {
        if (needed.size() == 1) {
            return needed.get(0).acquirable(evaluated.get(0));
        }
        ClusterLock[] all = new ClusterLock[needed.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = needed.get(i).lock(evaluated.get(i));
        }
        return Acquirable.of(needed.get(0).registry().get().allOf(all));
    }

    /** Of several locks of one call: the shortest wait, and the plainest answer where they differ. */
    private static CallDefaults.Defaults stricter(CallDefaults.Defaults one, CallDefaults.Defaults other) {
        return new CallDefaults.Defaults(
                one.waitTime().orLess(other.waitTime()),
                one.onBusy() == other.onBusy() ? one.onBusy() : OnBusy.THROW,
                one.onLost() == other.onLost() ? one.onLost() : OnLost.THROW_AFTER);
    }
}
