package io.github.zklock.aop.internal.declaration;

import io.github.zklock.aop.method.Place;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;

/**
 * Rejects the use of a property or a method that the declared type lacks. The class of an object may be a subclass of
 * that type: interfaces and abstract classes are not checked.
 */
record MemberCheck(Place place, ArgumentNames names) implements ExpressionTypes.Members {

    private static final Properties PROPERTIES = new Properties();

    @Override
    public void property(ResolvableType owner, String name) {
        Class<?> type = checked(owner);
        if (type == CallContext.Root.class && !PROPERTIES.has(name, type)) {
            throw place.invalid(
                    "uses " + name + ", which is neither an argument nor a property of the call",
                    names.contains(name)
                            ? "write #" + name
                            : "write an argument, one of " + names + ", or target, targetClass, method or args");
        }
        if (type != null && !PROPERTIES.has(name, type)) {
            String known = propertiesOf(type);
            throw place.invalid(
                    "reads the property '" + name + "' of " + type.getTypeName() + ", which has no such property",
                    (known.isEmpty() ? "" : "use one of " + known + ", or ")
                            + "let a bean compute the value, such as #{@names.of(#p0)}");
        }
    }

    @Override
    public void method(ResolvableType owner, String name) {
        Class<?> type = checked(owner);
        if (type != null
                && Stream.of(type.getMethods()).noneMatch(each -> each.getName().equals(name))) {
            throw place.invalid(
                    "calls " + name + "() of "
                            + (type == CallContext.Root.class ? "the call" : type.getTypeName())
                            + ", which has no such public method",
                    "call a public method of an argument, of the target or of a bean");
        }
    }

    @Override
    public void constructor(Class<?> type) {}

    /** Returns the type if its objects have no other members than the type declares; null otherwise. */
    private static @Nullable Class<?> checked(ResolvableType owner) {
        Class<?> type = owner.resolve();
        boolean isOpen = type == null
                || type == Object.class
                || type == Class.class
                || type.isArray()
                || type.isPrimitive()
                || Modifier.isAbstract(type.getModifiers())
                || type == Optional.class
                || Map.class.isAssignableFrom(type)
                || Collection.class.isAssignableFrom(type);
        return isOpen ? null : type;
    }

    private static String propertiesOf(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        return Stream.concat(
                        Stream.of(BeanUtils.getPropertyDescriptors(type)).map(each -> each.getName()),
                        components == null
                                ? Stream.empty()
                                : Stream.of(components).map(RecordComponent::getName))
                .filter(name -> !name.equals("class"))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Finds properties as expressions do. */
    private static final class Properties extends ReflectivePropertyAccessor {

        boolean has(String name, Class<?> type) {
            return findGetterForProperty(name, type, false) != null || findField(name, type, false) != null;
        }
    }
}
