package io.github.zklock.annotation;

/** The callers with which a method may share its lock. */
public enum LockMode {
    /** One caller at a time. */
    EXCLUSIVE,
    /** Shared with other {@link #READ} callers of the same name, but not with a {@link #WRITE} caller. */
    READ,
    /** One caller at a time, and no {@link #READ} caller of the same name. */
    WRITE
}
