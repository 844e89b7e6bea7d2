package io.github.zklock.aop.internal.declaration;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.StandardTypeLocator;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * The types of the objects whose properties the expressions of one method read, and whose methods they call. They are
 * found through the declared types of parameters, fields and methods. The class of an object may be a subclass.
 */
final class ExpressionTypes {

    private static final ResolvableType ROOT = ResolvableType.forClass(CallContext.Root.class);
    private static final StandardTypeLocator TYPES = new StandardTypeLocator();

    private final Method method;
    private final Class<?> targetClass;
    private final ArgumentNames names;
    private final Function<String, @Nullable Class<?>> beanTypes;
    private final Members members;

    /** Receives the members that an expression uses. An owner without a class has an unknown type. */
    interface Members {

        void property(ResolvableType owner, String name);

        void method(ResolvableType owner, String name);

        void constructor(Class<?> type);
    }

    ExpressionTypes(
            Method method,
            Class<?> targetClass,
            ArgumentNames names,
            Function<String, @Nullable Class<?>> beanTypes,
            Members members) {
        this.method = method;
        this.targetClass = targetClass;
        this.names = names;
        this.beanTypes = beanTypes;
        this.members = members;
    }

    void visit(SpelNode expression) {
        typeOf(expression, ROOT, ROOT);
    }

    /**
     * Reports the members that a node uses, and returns the type of its result; {@link ResolvableType#NONE} if it is
     * unknown.
     *
     * @param active the type whose property or method the node refers to
     * @param scope the type whose properties or methods the arguments of the node refer to
     */
    private ResolvableType typeOf(SpelNode node, ResolvableType active, ResolvableType scope) {
        if (node instanceof CompoundExpression) {
            ResolvableType current = active;
            for (SpelNode part : children(node).toList()) {
                current = typeOf(part, current, scope);
            }
            return current;
        }
        if (node instanceof VariableReference) {
            return variable(node.toStringAST().substring(1), active);
        }
        if (node instanceof PropertyOrFieldReference property) {
            return property(property.getName(), active);
        }
        if (node instanceof MethodReference called) {
            children(node).forEach(argument -> typeOf(argument, scope, scope));
            return result(called, active);
        }
        if (node instanceof Indexer) {
            return element(node, active, scope);
        }
        if (node instanceof Selection || node instanceof Projection) {
            return elements(node, active);
        }
        return ofOthers(node, active, scope);
    }

    private ResolvableType ofOthers(SpelNode node, ResolvableType active, ResolvableType scope) {
        if (node instanceof BeanReference) {
            Class<?> bean = beanTypes.apply(TemplateCheck.beanName(node));
            return bean == null ? ResolvableType.NONE : ResolvableType.forClass(bean);
        }
        if (node instanceof TypeReference) {
            return named(node.getChild(0).toStringAST());
        }
        List<ResolvableType> types =
                children(node).map(child -> typeOf(child, active, scope)).toList();
        if (node instanceof ConstructorReference) {
            ResolvableType made = named(node.getChild(0).toStringAST());
            if (made.resolve() != null) {
                members.constructor(made.toClass());
            }
            return made;
        }
        return node instanceof Ternary || node instanceof Elvis ? types.get(types.size() - 1) : ResolvableType.NONE;
    }

    private ResolvableType variable(String name, ResolvableType active) {
        int index = names.indexOf(name);
        if (index >= 0) {
            return ResolvableType.forMethodParameter(method, index, targetClass);
        }
        return name.equals("this") ? active : name.equals("root") ? ROOT : ResolvableType.NONE;
    }

    private ResolvableType property(String name, ResolvableType owner) {
        members.property(owner, name);
        if (owner.toClass() == CallContext.Root.class && name.equals("target")) {
            return ResolvableType.forClass(targetClass);
        }
        Class<?> type = owner.resolve();
        if (type == null) {
            return ResolvableType.NONE;
        }
        String suffix = StringUtils.capitalize(name);
        return Stream.of("get" + suffix, "is" + suffix, name)
                .map(getter -> ClassUtils.getMethodIfAvailable(type, getter, new Class<?>[0]))
                .flatMap(Stream::ofNullable)
                .findFirst()
                .map(getter -> returned(getter, owner))
                .orElseGet(() -> field(name, type, owner));
    }

    private static ResolvableType returned(Method called, ResolvableType owner) {
        return ResolvableType.forType(called.getGenericReturnType(), owner.as(called.getDeclaringClass()));
    }

    private static ResolvableType field(String name, Class<?> type, ResolvableType owner) {
        Field field = ReflectionUtils.findField(type, name);
        return field == null ? ResolvableType.NONE : ResolvableType.forField(field, owner);
    }

    private ResolvableType result(MethodReference called, ResolvableType owner) {
        members.method(owner, called.getName());
        Class<?> type = owner.resolve();
        return type == null
                ? ResolvableType.NONE
                : Stream.of(type.getMethods())
                        .filter(each -> each.getName().equals(called.getName())
                                && each.getParameterCount() == called.getChildCount()
                                && !each.isBridge())
                        .findFirst()
                        .map(each -> returned(each, owner))
                        .orElse(ResolvableType.NONE);
    }

    private ResolvableType element(SpelNode index, ResolvableType owner, ResolvableType scope) {
        children(index).forEach(child -> typeOf(child, scope, scope));
        ResolvableType element = elementOf(owner);
        // the index of an object is the name of a property
        return element.equals(ResolvableType.NONE) && index.getChild(0) instanceof StringLiteral property
                ? property(String.valueOf(property.getLiteralValue().getValue()), owner)
                : element;
    }

    private ResolvableType elements(SpelNode node, ResolvableType owner) {
        ResolvableType element = elementOf(owner);
        List<ResolvableType> results =
                children(node).map(child -> typeOf(child, element, element)).toList();
        return node instanceof Projection ? ResolvableType.forClassWithGenerics(List.class, results.get(0)) : owner;
    }

    private static ResolvableType elementOf(ResolvableType owner) {
        if (owner.isArray()) {
            return owner.getComponentType();
        }
        Class<?> type = owner.toClass();
        if (Map.class.isAssignableFrom(type)) {
            return owner.as(Map.class).getGeneric(1);
        }
        return Collection.class.isAssignableFrom(type)
                ? owner.as(Collection.class).getGeneric()
                : ResolvableType.NONE;
    }

    private static ResolvableType named(String type) {
        try {
            return ResolvableType.forClass(TYPES.findType(type));
        } catch (RuntimeException unknown) {
            // the check at start-up or the call reports it
            return ResolvableType.NONE;
        }
    }

    private static Stream<SpelNode> children(SpelNode node) {
        return Stream.iterate(0, i -> i < node.getChildCount(), i -> i + 1).map(node::getChild);
    }
}
