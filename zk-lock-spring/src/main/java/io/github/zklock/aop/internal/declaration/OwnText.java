package io.github.zklock.aop.internal.declaration;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of a value for lock names. Invariant: equal values have the same text in every process. Therefore text that
 * contains an identity hash code is rejected, as are values whose text depends on the process.
 */
final class OwnText {

    /** The form of {@link Object#toString()}. */
    private static final Pattern IDENTITY = Pattern.compile("[\\w.$/]+@[0-9a-f]{1,8}");

    private OwnText() {}

    /**
     * Returns the text of a value.
     *
     * @throws IllegalArgumentException if the value is null, empty or has no text of its own; the message states which
     */
    static String of(@Nullable Object value) {
        String text = value == null || isAbsent(value) ? null : value.toString();
        if (value == null || text == null) {
            throw new IllegalArgumentException("is null");
        }
        refuseOthers(value, text);
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty");
        }
        return text;
    }

    /** Rejects a value whose text is not its own, or contains the text of such a value. */
    private static void refuseOthers(Object value, String text) {
        if (isOfProcess(value)) {
            throw new IllegalArgumentException("is of " + value.getClass().getTypeName()
                    + ", whose text depends on the process, by its order of elements or its time zone: use a sorted set,"
                    + " a list, or an Instant");
        }
        if (!isOwn(text, value)) {
            throw new IllegalArgumentException("is of " + value.getClass().getTypeName()
                    + ", which has no toString() of its own: each object would name another lock");
        }
        if (value instanceof Record record) {
            // its text may be one without this component
            components(record).stream()
                    .filter(each -> each != null && text.contains(each.toString()))
                    .forEach(each -> refuseOthers(each, String.valueOf(each)));
        } else {
            elements(value).forEach(OwnText::of);
        }
    }

    /** Returns the values whose texts make the text of this one. */
    private static Stream<? extends @Nullable Object> elements(Object value) {
        if (value instanceof Collection<?> several) {
            return several.stream();
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream();
        }
        if (value instanceof Map.Entry<?, ?> entry) {
            return Stream.of(entry.getKey(), entry.getValue());
        }
        return value instanceof Optional<?> optional ? optional.stream() : Stream.empty();
    }

    /** Returns the components of a record; none if they cannot be read, as in a native image without hints for them. */
    private static List<@Nullable Object> components(Record value) {
        List<@Nullable Object> read = new ArrayList<>();
        try {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                read.add(accessor.invoke(value));
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unreadable) {
            return List.of();
        }
        return read;
    }

    private static boolean isAbsent(Object value) {
        return value instanceof Optional<?> optional && optional.isEmpty();
    }

    /**
     * The order of other collections and maps depends on the process, as {@link Set#of}, the values of {@link Map#of} and
     * hash codes of enums show.
     */
    private static boolean isOfProcess(Object value) {
        return (value instanceof Collection<?>
                        && !(value instanceof List<?>)
                        && !(value instanceof Deque<?>)
                        && !(value instanceof SortedSet<?>)
                        && !(value instanceof EnumSet<?>))
                || (value instanceof Map<?, ?>
                        && !(value instanceof SortedMap<?, ?>)
                        && !(value instanceof EnumMap<?, ?>))
                || value instanceof Date
                || value instanceof Calendar;
    }

    private static boolean isOwn(String text, Object value) {
        if (value instanceof CharSequence || value instanceof Number) {
            return true;
        }
        if (Proxy.isProxyClass(value.getClass())) {
            return !IDENTITY.matcher(text).matches();
        }
        // a proxy of a class delegates toString() to its target, whose class is a superclass
        for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
            if (text.startsWith(type.getName() + "@")) {
                return false;
            }
        }
        return true;
    }
}
