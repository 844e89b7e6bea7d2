package io.github.zklock.aop.internal.declaration;

import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.aop.method.AnnotatedMethods;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.aop.method.Place;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.function.SingletonSupplier;

/** Reads and validates the annotations of methods. */
public final class DeclarationReader {

    private static final int MOST_PERMITS = 10_000;

    private final AnnotatedMethods<DistributedLock> annotations;
    private final ConfigurableListableBeanFactory beans;
    private final Supplier<CallDefaults> defaults;
    private final StandardEvaluationContext shared = new StandardEvaluationContext();
    private final Supplier<LockRegistry> onlyRegistry;

    public DeclarationReader(AnnotatedMethods<DistributedLock> annotations, ConfigurableListableBeanFactory beans) {
        this.annotations = annotations;
        this.beans = beans;
        this.defaults = SingletonSupplier.of(
                () -> beans.getBeanProvider(CallDefaults.class).getIfAvailable(() -> CallDefaults.STANDARD));
        this.onlyRegistry = SingletonSupplier.of(
                () -> beans.getBeanProvider(LockRegistry.class).getObject());
        shared.setBeanResolver(new BeanFactoryResolver(beans));
    }

    /**
     * Returns the declaration that applies if this method is called on an object of this class; null if no annotation
     * applies.
     *
     * @throws InvalidAnnotationException if an annotation that applies is invalid
     */
    public @Nullable Declaration of(Method method, Class<?> targetClass) {
        AnnotatedMethods.Found<DistributedLock> found = annotations.of(method, targetClass);
        return found.isEmpty() ? null : read(AopUtils.getMostSpecificMethod(method, targetClass), targetClass, found);
    }

    private Declaration read(Method method, Class<?> targetClass, AnnotatedMethods.Found<DistributedLock> found) {
        Place place = annotations.place(method, targetClass);
        if (annotations.isAmbiguous(method, targetClass)) {
            throw place.invalid(
                    "is declared differently on several methods or interfaces that this method implements",
                    "declare it on the method itself");
        }
        ArgumentNames names = ArgumentNames.of(method, targetClass, found.on());
        CallRules rules = rules(found.merged(), place);
        ExpressionTypes types =
                new ExpressionTypes(method, targetClass, names, this::typeOfBean, new MemberCheck(place, names));
        List<LockSpec> locks = found.annotations().stream()
                .map(annotation -> spec(annotation, names, place, types))
                .toList();
        checkTogether(locks, MethodParameters.of(method), place);
        OnBusy onBusy = onBusy(rules, locks);
        return new Declaration(
                place,
                method,
                locks,
                rules,
                onBusy,
                fallback(onBusy, rules, method, targetClass, place),
                names,
                shared,
                defaults);
    }

    private CallRules rules(List<MergedAnnotation<DistributedLock>> found, Place place) {
        try {
            List<CallRules> all = found.stream()
                    .map(annotation -> CallRules.of(annotation, this::resolve))
                    .distinct()
                    .toList();
            if (found.size() > 1 && all.stream().anyMatch(rules -> rules.window() != null)) {
                throw place.invalid(
                        "has a window and several locks", "put the other locks on a method that this one calls");
            }
            if (all.size() > 1) {
                throw place.invalid(
                        "is declared several times with different rules for one call",
                        "give all of them the same waitTime, onBusy, fallback, onLost and maxHold");
            }
            return all.get(0);
        } catch (IllegalArgumentException refused) {
            String[] factAndRemedy = String.valueOf(refused.getMessage()).split("; ", 2);
            throw place.invalid(
                    "has an invalid rule: " + factAndRemedy[0],
                    factAndRemedy.length == 2 ? factAndRemedy[1] : "set the property, or give it a default");
        }
    }

    private LockSpec spec(DistributedLock annotation, ArgumentNames names, Place place, ExpressionTypes types) {
        TemplateCheck check = new TemplateCheck(place, names, beans::containsBean, types);
        String name;
        try {
            name = resolve(annotation.name());
        } catch (IllegalArgumentException unknown) {
            throw place.invalid(
                    "uses an unknown property: " + unknown.getMessage(),
                    "set the property, or give it a default, such as ${orders.lock:/orders}");
        }
        NameTemplate template;
        try {
            template = NameTemplate.parse(name);
        } catch (IllegalArgumentException unreadable) {
            throw place.invalid(
                    "has an invalid expression: " + unreadable.getMessage(), "write the name like \"/orders/#{#id}\"");
        }
        if (template.text().isBlank()) {
            throw place.invalid("names no lock", "give it a name, such as \"/order-stats\"");
        }
        check.check(template);
        return new LockSpec(
                template,
                kind(annotation, place),
                annotation.permits(),
                annotation.registry(),
                registry(annotation.registry(), place));
    }

    private Supplier<LockRegistry> registry(String name, Place place) {
        if (name.isEmpty()) {
            return onlyRegistry(place);
        }
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, LockRegistry.class)) {
            throw place.invalid(
                    "names the registry '" + name + "', but there is no LockRegistry bean of that name",
                    "declare the bean, or remove the attribute registry");
        }
        return SingletonSupplier.of(() -> beans.getBean(name, LockRegistry.class));
    }

    /**
     * Returns the registry of an annotation that names none: the only or the primary one.
     *
     * @throws InvalidAnnotationException if there is no registry, or no unique choice
     */
    private Supplier<LockRegistry> onlyRegistry(Place place) {
        try {
            LockRegistry only = onlyRegistry.get();
            return () -> only;
        } catch (NoUniqueBeanDefinitionException several) {
            Collection<String> found = several.getBeanNamesFound();
            throw place.invalid(
                    "names no registry, but there are several: " + (found == null ? "" : String.join(", ", found)),
                    "name one of them with registry, or make one @Primary");
        } catch (NoSuchBeanDefinitionException none) {
            throw place.invalid(
                    "needs a LockRegistry bean, but there is none",
                    "set zk.lock.connect-string and do not set zk.lock.enabled=false, or declare a LockRegistry bean,"
                            + " such as an in-memory one for tests");
        }
    }

    /** Returns the reaction to a busy lock that validation assumes: that of the annotation, or the configured one. */
    private OnBusy onBusy(CallRules rules, List<LockSpec> locks) {
        if (rules.onBusy() != OnBusy.AS_CONFIGURED) {
            return rules.onBusy();
        }
        NameTemplate name = locks.get(0).name();
        return locks.size() > 1 || !name.isLiteral()
                ? defaults.get().general().onBusy()
                : defaults.get().of(LockName.of(name.text())).onBusy();
    }

    private @Nullable Fallback fallback(
            OnBusy onBusy, CallRules rules, Method method, Class<?> targetClass, Place place) {
        if (rules.fallback().isBlank() && onBusy != OnBusy.FALLBACK) {
            return null;
        }
        if (rules.onBusy() != OnBusy.FALLBACK && rules.onBusy() != OnBusy.AS_CONFIGURED) {
            throw place.invalid(
                    "names a fallback, but uses onBusy = " + rules.onBusy(),
                    "use onBusy = FALLBACK, or remove the fallback");
        }
        Fallback fallback = Fallback.find(rules.fallback(), rules.window() != null, method, targetClass, place);
        if (!annotations.of(fallback.method(), targetClass).isEmpty()) {
            throw place.invalid(
                    "names the fallback '" + rules.fallback()
                            + "', which is annotated itself and would run without its lock",
                    "make the fallback a private method, without the annotation");
        }
        return fallback;
    }

    private static LockKind kind(DistributedLock annotation, Place place) {
        if (annotation.permits() < 1 || annotation.permits() > MOST_PERMITS) {
            throw place.invalid("has permits = " + annotation.permits(), "use a number from 1 to " + MOST_PERMITS);
        }
        if (annotation.permits() == 1) {
            return annotation.kind();
        }
        if (annotation.kind() == LockKind.READ || annotation.kind() == LockKind.WRITE) {
            throw place.invalid(
                    "has permits = " + annotation.permits() + " and kind = " + annotation.kind(),
                    "use permits for a semaphore, or READ and WRITE for a read/write lock");
        }
        return LockKind.PERMITS;
    }

    private static void checkTogether(List<LockSpec> locks, @Nullable MethodParameters parameters, Place place) {
        if (locks.size() == 1) {
            return;
        }
        if (locks.stream().anyMatch(lock -> lock.kind() == LockKind.PERMITS)) {
            throw place.invalid(
                    "requests permits of a semaphore together with other locks",
                    "put one of them on a method of its own");
        }
        if (parameters != null && parameters.wantSingle()) {
            throw place.invalid(
                    "requests several locks, but takes the LockHandle or the FencingToken of one",
                    "take a Handle and use its parts()");
        }
    }

    private @Nullable Class<?> typeOfBean(String name) {
        return beans.containsBean(name) ? beans.getType(name, false) : null;
    }

    private String resolve(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
