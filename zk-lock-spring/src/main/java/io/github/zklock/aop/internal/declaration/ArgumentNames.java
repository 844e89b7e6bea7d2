package io.github.zklock.aop.internal.declaration;

import io.github.zklock.aop.method.AnnotatedMethods;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The names of a method's arguments in expressions: {@code p0}, {@code a0} and the names of the parameters. If an
 * interface declares the method with other parameter names, these names are valid too.
 */
final class ArgumentNames {

    private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final boolean complete;

    private ArgumentNames(boolean complete) {
        this.complete = complete;
    }

    /**
     * Collects the names of a method's arguments, from the method and the methods that it overrides or implements.
     *
     * @param annotated the annotated method, whose names take precedence; null if the annotation is on a class
     */
    static ArgumentNames of(Method method, Class<?> targetClass, @Nullable Method annotated) {
        int count = MethodParameters.count(method);
        List<String[]> named = Stream.of(
                        Stream.ofNullable(annotated),
                        Stream.of(method),
                        AnnotatedMethods.hierarchy(method, targetClass).stream())
                .flatMap(Function.identity())
                .map(DISCOVERER::getParameterNames)
                .filter(names -> names != null && names.length >= count)
                .toList();
        ArgumentNames all = new ArgumentNames(count == 0 || !named.isEmpty());
        for (String[] names : named) {
            for (int i = 0; i < count; i++) {
                all.indexes.putIfAbsent(names[i], i);
            }
        }
        for (int i = 0; i < count; i++) {
            all.indexes.putIfAbsent("p" + i, i);
            all.indexes.putIfAbsent("a" + i, i);
        }
        return all;
    }

    /** Returns false if the classes were compiled without the names of their parameters. */
    boolean areComplete() {
        return complete;
    }

    int indexOf(String name) {
        return indexes.getOrDefault(name, -1);
    }

    boolean contains(String name) {
        return indexes.containsKey(name);
    }

    @Override
    public String toString() {
        return indexes.isEmpty()
                ? "none, as the method has no parameters"
                : indexes.keySet().stream().map(name -> "#" + name).collect(Collectors.joining(", "));
    }
}
