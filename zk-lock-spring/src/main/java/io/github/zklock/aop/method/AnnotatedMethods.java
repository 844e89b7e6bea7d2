package io.github.zklock.aop.method;

import java.lang.annotation.Annotation;
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
 * Finds the annotations of one type that apply to a method. It searches the method, then the method that it overrides
 * or implements, then its class, a superclass, or an interface that declares the method. The nearest place with
 * annotations decides alone.
 *
 * @param <A> the annotation, which may be repeatable
 */
public final class AnnotatedMethods<A extends Annotation> implements AopInfrastructureBean {

    private final Class<A> annotation;
    private final Map<MethodClassKey, Found<A>> known = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<Method>> knownClasses = new ConcurrentHashMap<>();

    /**
     * The annotations that apply to a method.
     *
     * @param merged each annotation with the annotation that a user has written, of which it may be a meta-annotation
     * @param on the annotated method; null if the annotations are on a class
     */
    public record Found<A extends Annotation>(
            List<MergedAnnotation<A>> merged, @Nullable Method on) {

        public boolean isEmpty() {
            return merged.isEmpty();
        }

        public List<A> annotations() {
            return merged.stream().map(MergedAnnotation::synthesize).toList();
        }
    }

    public AnnotatedMethods(Class<A> annotation) {
        this.annotation = annotation;
    }

    Class<A> annotation() {
        return annotation;
    }

    /** Returns the place of the annotation that a user has written for this method, for messages. */
    public Place place(Method method, Class<?> targetClass) {
        Class<?> written = of(method, targetClass).merged().stream()
                .findFirst()
                .<Class<?>>map(each -> each.getRoot().getType())
                .orElse(annotation);
        return Place.of(written, method, targetClass);
    }

    /** Returns whether the methods of this class need not be searched. */
    boolean cannotBeIn(Class<?> type) {
        return !AnnotationUtils.isCandidateClass(type, annotation);
    }

    /** Returns the annotated methods of objects of this class, except private and static ones. */
    public List<Method> in(Class<?> type) {
        List<Method> methods = knownClasses.get(type);
        if (methods == null) {
            methods = declaredIn(type).stream()
                    .filter(method -> !Modifier.isPrivate(method.getModifiers())
                            && !Modifier.isStatic(method.getModifiers())
                            && !of(method, type).isEmpty())
                    .toList();
            knownClasses.put(type, methods);
        }
        return methods;
    }

    /**
     * Returns the methods that users have declared for objects of this class, each in its most specific version, and
     * those of its interfaces that it does not inherit; none if none can have the annotation.
     */
    List<Method> declaredIn(Class<?> type) {
        if (cannotBeIn(type)) {
            return List.of();
        }
        Stream<Method> notInherited = ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(ReflectionUtils.USER_DECLARED_METHODS::matches)
                .filter(method ->
                        Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers()));
        return Stream.concat(
                        Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS))
                                .map(method -> AopUtils.getMostSpecificMethod(method, type)),
                        notInherited)
                .distinct()
                .toList();
    }

    /** Returns the annotations that apply if this method is called on an object of this class. */
    public Found<A> of(Method method, Class<?> targetClass) {
        return known.computeIfAbsent(
                new MethodClassKey(method, targetClass), key -> find(method, ClassUtils.getUserClass(targetClass)));
    }

    /** Returns whether the annotation is on this method or on a method that it overrides or implements, not on a class. */
    boolean isOnMethod(Method method) {
        return !onMethod(method).isEmpty();
    }

    /** Returns whether the annotation applies to all methods that this class declares. */
    boolean isOnClass(Class<?> declaring) {
        Stream<Class<?>> classes = Stream.iterate(declaring, Objects::nonNull, Class::getSuperclass);
        return classes.anyMatch(type -> !nearest(type, SearchStrategy.DIRECT).isEmpty());
    }

    private Found<A> onMethod(Method method) {
        List<MergedAnnotation<A>> nearest = nearest(method, SearchStrategy.TYPE_HIERARCHY);
        return nearest.isEmpty()
                ? nothing()
                : new Found<>(nearest, nearest.get(0).getSource() instanceof Method annotated ? annotated : method);
    }

    /** Returns whether one of these interfaces declares the method that is called on objects of this class. */
    static boolean isDeclaredBy(Class<?>[] interfaces, Method method, Class<?> targetClass) {
        return Stream.of(interfaces)
                .flatMap(type -> Stream.of(type.getMethods()))
                .anyMatch(declared -> isSame(declared, method, targetClass));
    }

    /** Returns whether a call of the inherited method on an object of this class runs the other method. */
    private static boolean isSame(Method inherited, Method method, Class<?> targetClass) {
        return inherited.getName().equals(method.getName())
                && inherited.getParameterCount() == method.getParameterCount()
                && !Modifier.isStatic(inherited.getModifiers())
                && !Modifier.isPrivate(inherited.getModifiers())
                && AopUtils.getMostSpecificMethod(inherited, targetClass).equals(method);
    }

    /**
     * Returns this method and the methods of superclasses and interfaces of this class that it overrides or implements.
     */
    public static List<Method> hierarchy(Method method, Class<?> targetClass) {
        Stream<Class<?>> classes = Stream.iterate(targetClass, Objects::nonNull, Class::getSuperclass);
        return Stream.concat(classes, ClassUtils.getAllInterfacesForClassAsSet(targetClass).stream())
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(each -> isSame(each, method, targetClass))
                .toList();
    }

    /**
     * Returns whether the method has no annotation, and overrides or implements methods with different ones, or
     * methods of interfaces with different ones.
     */
    public boolean isAmbiguous(Method method, Class<?> targetClass) {
        if (!nearest(method, SearchStrategy.DIRECT).isEmpty()) {
            return false;
        }
        if (of(method, targetClass).on() == null) {
            return isAmbiguousByClass(method, ClassUtils.getUserClass(targetClass), targetClass);
        }
        List<Method> annotated = hierarchy(method, targetClass).stream()
                .filter(each -> !nearest(each, SearchStrategy.DIRECT).isEmpty())
                .toList();
        return annotated.stream()
                        .filter(each -> annotated.stream().noneMatch(other -> isBelow(other, each)))
                        .map(each -> written(nearest(each, SearchStrategy.DIRECT)))
                        .distinct()
                        .count()
                > 1;
    }

    private boolean isAmbiguousByClass(Method method, Class<?> type, Class<?> targetClass) {
        if (!nearest(type, SearchStrategy.DIRECT).isEmpty()) {
            return false;
        }
        List<Class<?>> above = interfacesOf(type, method, targetClass).toList();
        long different = above.stream()
                .map(each -> written(ofClass(method, each, targetClass)))
                .filter(each -> !each.isEmpty())
                .distinct()
                .count();
        Class<?> superclass = type.getSuperclass();
        return different > 1
                || Stream.concat(above.stream(), Stream.ofNullable(superclass))
                        .anyMatch(each -> isAmbiguousByClass(method, each, targetClass));
    }

    private static boolean isBelow(Method one, Method other) {
        return one.getDeclaringClass() != other.getDeclaringClass()
                && other.getDeclaringClass().isAssignableFrom(one.getDeclaringClass());
    }

    private Found<A> nothing() {
        return new Found<>(List.of(), null);
    }

    private Found<A> find(Method method, Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        Found<A> found = findFor(specific, targetClass);
        return found.isEmpty() && !specific.equals(method) ? findFor(method, method.getDeclaringClass()) : found;
    }

    private Found<A> findFor(Method method, Class<?> type) {
        if (ReflectionUtils.isObjectMethod(method)) {
            return nothing();
        }
        Found<A> own = onMethod(method);
        if (own.isEmpty()) {
            own = declarationsOfInherited(method, type)
                    .map(this::onMethod)
                    .filter(found -> !found.isEmpty())
                    .findFirst()
                    .orElse(own);
        }
        boolean mayBeOfClass = ClassUtils.isUserLevelMethod(method) && !Modifier.isPrivate(method.getModifiers());
        return own.isEmpty() && mayBeOfClass ? new Found<>(ofClass(method, type, type), null) : own;
    }

    /**
     * Returns the interface methods that a method implements for objects of this class, if the method is inherited and
     * its own class does not implement these interfaces. A search for annotations that begins at the method does not
     * find them.
     */
    private static Stream<Method> declarationsOfInherited(Method method, Class<?> type) {
        Class<?> declaring = method.getDeclaringClass();
        if (declaring == type || declaring.isInterface()) {
            return Stream.empty();
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .filter(each -> !each.isAssignableFrom(declaring))
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(each -> isSame(each, method, type));
    }

    private List<MergedAnnotation<A>> ofClass(Method method, Class<?> type, Class<?> targetClass) {
        List<MergedAnnotation<A>> own = nearest(type, SearchStrategy.DIRECT);
        if (!own.isEmpty()) {
            return own;
        }
        Class<?> superclass = type.getSuperclass();
        return Stream.concat(interfacesOf(type, method, targetClass), Stream.ofNullable(superclass))
                .map(each -> ofClass(method, each, targetClass))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /**
     * Returns the interfaces of a class that declare the method. The annotation of an interface applies to the methods
     * of the interface only: a class may implement several interfaces, each with its own lock.
     */
    private static Stream<Class<?>> interfacesOf(Class<?> type, Method method, Class<?> targetClass) {
        return Stream.<Class<?>>of(type.getInterfaces())
                .filter(each -> Stream.of(each.getMethods()).anyMatch(its -> isSame(its, method, targetClass)));
    }

    private List<MergedAnnotation<A>> nearest(AnnotatedElement element, SearchStrategy strategy) {
        List<MergedAnnotation<A>> all = MergedAnnotations.search(strategy)
                .withRepeatableContainers(RepeatableContainers.standardRepeatables())
                .from(element)
                .stream(annotation)
                .toList();
        int nearest =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
        return all.stream().filter(each -> each.getAggregateIndex() == nearest).toList();
    }

    /** Returns the annotations that users have written. */
    private List<? extends Annotation> written(List<MergedAnnotation<A>> annotations) {
        return annotations.stream().map(each -> each.getRoot().synthesize()).toList();
    }
}
