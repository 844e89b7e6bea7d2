package io.github.zklock.aop.internal.declaration;

import java.lang.reflect.Proxy;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
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
        if (isOfProcess(value)) {
            throw new IllegalArgumentException("is of " + value.getClass().getTypeName()
                    + ", whose text depends on the process, by its order of elements or its time zone: use a sorted set,"
                    + " a list, or an Instant");
        }
        if (!isOwn(text, value)) {
            throw new IllegalArgumentException("is of " + value.getClass().getTypeName()
                    + ", which has no toString() of its own: each object would name another lock");
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty");
        }
        return text;
    }

    private static boolean isAbsent(Object value) {
        return value instanceof Optional<?> optional && optional.isEmpty();
    }

    /** The order of other sets and maps depends on the process, as {@link Set#of} and hash codes of enums show. */
    private static boolean isOfProcess(Object value) {
        return (value instanceof Set<?> && !(value instanceof SortedSet<?>) && !(value instanceof EnumSet<?>))
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
        if (value instanceof Collection<?> several) {
            several.forEach(OwnText::of);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, mapped) -> {
                of(key);
                of(mapped);
            });
        } else if (value instanceof Optional<?> optional) {
            optional.ifPresent(OwnText::of);
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
