package io.github.zklock.integration;

import io.github.zklock.LockName;
import io.github.zklock.support.NamePrefix;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/**
 * Lock names of keys, in the form {@code <prefix>/<type>/<key>}. Invariant: two keys have the same name in all
 * processes exactly if they are equal. Therefore a type is permitted only if its text determines the result of {@code
 * equals}.
 */
final class KeyNames {

    private final NamePrefix prefix;

    KeyNames(NamePrefix prefix) {
        this.prefix = prefix;
    }

    /** @throws IllegalArgumentException if the type of the key is not permitted */
    LockName nameOf(Object key) {
        Objects.requireNonNull(key, "The key of a lock must not be null");
        return prefix.nameOf(typeOf(key), textOf(key));
    }

    private static String typeOf(Object key) {
        if (key instanceof Enum<?>) {
            return "enum";
        }
        boolean known = key instanceof String
                || key instanceof UUID
                || key instanceof Long
                || key instanceof Integer
                || key instanceof Short
                || key instanceof Byte
                || key instanceof BigInteger
                || key instanceof Character
                || key instanceof Boolean;
        if (!known || (key instanceof BigInteger && key.getClass() != BigInteger.class)) {
            throw new IllegalArgumentException(
                    ("Key '%s' of type %s has no lock: its text may differ in another process, and the two locks would"
                                    + " not exclude each other. Use a String, UUID, integer number, enum constant, Character or"
                                    + " Boolean, or convert the key to a String")
                            .formatted(key, key.getClass().getTypeName()));
        }
        return key.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String textOf(Object key) {
        return key instanceof Enum<?> constant
                ? constant.getDeclaringClass().getName() + "." + constant.name()
                : key.toString();
    }
}
