package io.github.zklock.support;

import io.github.zklock.LockName;

/**
 * The name below which the locks of something lie that names them freely.
 *
 * @param value with a leading and without a trailing slash
 */
public record NamePrefix(String value) {

    /** The longest prefix, in characters: what is below it has the rest of a lock's name. */
    public static final int MAX_LENGTH = 128;

    /** @throws IllegalArgumentException if it is not a lock name, or too long; the message says why */
    public NamePrefix {
        value = LockName.of(value).value();
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("Prefix of lock names '%s...' has %d characters; use at most %d"
                    .formatted(value.substring(0, 32), value.length(), MAX_LENGTH));
        }
    }

    /** The lock of any text below the prefix. */
    public LockName nameOf(String text) {
        return LockName.of(value + "/" + NameSegment.of(text));
    }

    /** The lock of any text among others of its kind below the prefix. */
    public LockName nameOf(String kind, String text) {
        return LockName.of(value + "/" + NameSegment.of(kind) + "/" + NameSegment.of(text));
    }
}
