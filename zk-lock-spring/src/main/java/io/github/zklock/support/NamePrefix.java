package io.github.zklock.support;

import io.github.zklock.LockName;

/**
 * The name below which a component creates the locks that it names itself.
 *
 * @param value the prefix, with a leading and without a trailing slash
 */
public record NamePrefix(String value) {

    /** The longest prefix, in characters. The rest of a lock's name remains for the segments below it. */
    public static final int MAX_LENGTH = 128;

    /**
     * @throws IllegalArgumentException if the prefix is not a lock name, or is too long; the message states the reason
     */
    public NamePrefix {
        value = LockName.of(value).value();
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("Prefix of lock names '%s...' has %d characters; use at most %d"
                    .formatted(value.substring(0, 32), value.length(), MAX_LENGTH));
        }
    }

    /** Returns the lock name below the prefix for any text. */
    public LockName nameOf(String text) {
        return LockName.of(value + "/" + NameSegment.of(text));
    }

    /** Returns the lock name below the prefix for any text of a kind. Kinds do not share names. */
    public LockName nameOf(String kind, String text) {
        return LockName.of(value + "/" + NameSegment.of(kind) + "/" + NameSegment.of(text));
    }
}
