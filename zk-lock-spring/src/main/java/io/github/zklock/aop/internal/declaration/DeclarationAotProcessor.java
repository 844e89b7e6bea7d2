package io.github.zklock.aop.internal.declaration;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.aop.method.AnnotatedMethods;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.expression.spel.SpelNode;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Registers what a native image needs for each bean with annotated methods: the methods, their fallbacks, and the types
 * whose members are read by names.
 */
final class DeclarationAotProcessor implements BeanRegistrationAotProcessor {

    private final AnnotatedMethods<DistributedLock> annotations = new AnnotatedMethods<>(DistributedLock.class);

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        List<Method> locked = annotations.in(type);
        return locked.isEmpty()
                ? null
                : (context, code) -> locked.forEach(method ->
                        register(context.getRuntimeHints().reflection(), method, type, bean.getBeanFactory()));
    }

    private void register(ReflectionHints hints, Method method, Class<?> type, ConfigurableBeanFactory beans) {
        AnnotatedMethods.hierarchy(method, type).forEach(each -> hints.registerMethod(each, ExecutableMode.INVOKE));
        AnnotatedMethods.Found<DistributedLock> found = annotations.of(method, type);
        ExpressionTypes expressions = new ExpressionTypes(
                method,
                type,
                ArgumentNames.of(method, type, found.on()),
                name -> beans.containsBean(name) ? beans.getType(name) : null,
                new ExpressionHints(hints));
        for (DistributedLock annotation : found.annotations()) {
            expressions(annotation, beans).forEach(expressions::visit);
            fallbacks(annotation, type).forEach(each -> hints.registerMethod(each, ExecutableMode.INVOKE));
        }
    }

    private static Stream<SpelNode> expressions(DistributedLock annotation, ConfigurableBeanFactory beans) {
        try {
            return NameTemplate.parse(resolve(annotation.name(), beans)).expressions().stream();
        } catch (IllegalArgumentException unreadable) {
            // the check at start-up reports it
            return Stream.empty();
        }
    }

    /**
     * Resolves the placeholders of a text. Returns the text unchanged if a property is missing: it may be set only at
     * run time.
     */
    private static String resolve(String text, ConfigurableBeanFactory beans) {
        try {
            String resolved = beans.resolveEmbeddedValue(text);
            return resolved == null ? "" : resolved;
        } catch (IllegalArgumentException unknown) {
            return text;
        }
    }

    private static Stream<Method> fallbacks(DistributedLock annotation, Class<?> type) {
        return annotation.fallback().isBlank()
                ? Stream.empty()
                : Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
                        .filter(method -> method.getName().equals(annotation.fallback()));
    }
}
