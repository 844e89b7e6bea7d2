package io.github.zklock.aop.internal.declaration;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;
import io.github.zklock.support.InheritedMethods;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations that apply to a method. It searches the method, then the method that it overrides or
 * implements, then its class, a superclass, or an interface that declares the method. The nearest place with
 * annotations decides alone.
 */
public final class AnnotationLookup implements AopInfrastructureBean {

    private final Map<MethodClassKey, Found> known = new ConcurrentHashMap<>();

    /**
     * The annotations that apply to a method.
     *
     * @param on the annotated method; null if the annotations are on a class
     */
    public record Found(
            List<DistributedLock> annotations, @Nullable Method on) {

        private static final Found NOTHING = new Found(List.of(), null);

        public boolean isEmpty() {
            return annotations.isEmpty();
        }
    }

    /** Returns whether the methods of this class need not be searched. */
    public static boolean cannotBeIn(Class<?> type) {
        return !AnnotationUtils.isCandidateClass(type, List.of(DistributedLock.class, DistributedLocks.class));
    }

    /** Returns the methods that users have declared for objects of this class, each in its most specific version. */
    public static List<Method> methodsOf(Class<?> type) {
        return Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS))
                .map(method -> AopUtils.getMostSpecificMethod(method, type))
                .distinct()
                .toList();
    }

    /** Returns the annotations that apply if this method is called on an object of this class. */
    public Found of(Method method, Class<?> targetClass) {
        return known.computeIfAbsent(
                new MethodClassKey(method, targetClass), key -> find(method, ClassUtils.getUserClass(targetClass)));
    }

    /** Returns the annotations on this method, or else on the method that it overrides or implements. */
    public Found onMethod(Method method) {
        List<MergedAnnotation<DistributedLock>> nearest = nearest(method, SearchStrategy.TYPE_HIERARCHY);
        return nearest.isEmpty()
                ? Found.NOTHING
                : new Found(
                        synthesized(nearest),
                        nearest.get(0).getSource() instanceof Method annotated ? annotated : method);
    }

    /** Returns whether a call of the inherited method on an object of this class runs the other method. */
    public static boolean isSame(Method inherited, Method method, Class<?> targetClass) {
        return inherited.getName().equals(method.getName())
                && inherited.getParameterCount() == method.getParameterCount()
                && !Modifier.isStatic(inherited.getModifiers())
                && !Modifier.isPrivate(inherited.getModifiers())
                && AopUtils.getMostSpecificMethod(inherited, targetClass).equals(method);
    }

    /**
     * Returns this method and the methods of superclasses and interfaces of this class that it overrides or implements.
     */
    static List<Method> hierarchy(Method method, Class<?> targetClass) {
        Stream<Class<?>> classes = Stream.iterate(targetClass, Objects::nonNull, Class::getSuperclass);
        return Stream.concat(classes, ClassUtils.getAllInterfacesForClassAsSet(targetClass).stream())
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(each -> isSame(each, method, targetClass))
                .toList();
    }

    /** Returns whether the method has no annotation and overrides or implements methods with different ones. */
    static boolean isAmbiguous(Method method, Class<?> targetClass) {
        if (!nearest(method, SearchStrategy.DIRECT).isEmpty()) {
            return false;
        }
        List<Method> annotated = hierarchy(method, targetClass).stream()
                .filter(each -> !nearest(each, SearchStrategy.DIRECT).isEmpty())
                .toList();
        return annotated.stream()
                        .filter(each -> annotated.stream().noneMatch(other -> isBelow(other, each)))
                        .map(each -> synthesized(nearest(each, SearchStrategy.DIRECT)))
                        .distinct()
                        .count()
                > 1;
    }

    private static boolean isBelow(Method one, Method other) {
        return one.getDeclaringClass() != other.getDeclaringClass()
                && other.getDeclaringClass().isAssignableFrom(one.getDeclaringClass());
    }

    private Found find(Method method, Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        Found found = findFor(specific, targetClass);
        return found.isEmpty() && !specific.equals(method) ? findFor(method, method.getDeclaringClass()) : found;
    }

    private Found findFor(Method method, Class<?> type) {
        if (ReflectionUtils.isObjectMethod(method)) {
            return Found.NOTHING;
        }
        Found own = onMethod(method);
        if (own.isEmpty()) {
            own = InheritedMethods.declarationsOf(method, type)
                    .map(this::onMethod)
                    .filter(found -> !found.isEmpty())
                    .findFirst()
                    .orElse(own);
        }
        boolean mayBeOfClass = ClassUtils.isUserLevelMethod(method) && !Modifier.isPrivate(method.getModifiers());
        return own.isEmpty() && mayBeOfClass ? new Found(ofClass(method, type, type), null) : own;
    }

    private static List<DistributedLock> ofClass(Method method, Class<?> type, Class<?> targetClass) {
        List<DistributedLock> own = synthesized(nearest(type, SearchStrategy.DIRECT));
        if (!own.isEmpty()) {
            return own;
        }
        // the annotation of an interface applies to the methods of the interface only: a class may implement several
        // interfaces, each with its own lock
        Stream<Class<?>> above = Stream.of(type.getInterfaces())
                .filter(each -> Stream.of(each.getMethods()).anyMatch(its -> isSame(its, method, targetClass)));
        Class<?> superclass = type.getSuperclass();
        return Stream.concat(above, Stream.ofNullable(superclass))
                .map(each -> ofClass(method, each, targetClass))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static List<MergedAnnotation<DistributedLock>> nearest(AnnotatedElement element, SearchStrategy strategy) {
        List<MergedAnnotation<DistributedLock>> all = MergedAnnotations.search(strategy)
                .withRepeatableContainers(RepeatableContainers.standardRepeatables())
                .from(element)
                .stream(DistributedLock.class)
                .toList();
        int nearest =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
        return all.stream()
                .filter(annotation -> annotation.getAggregateIndex() == nearest)
                .toList();
    }

    private static List<DistributedLock> synthesized(List<MergedAnnotation<DistributedLock>> annotations) {
        return annotations.stream().map(MergedAnnotation::synthesize).toList();
    }
}
