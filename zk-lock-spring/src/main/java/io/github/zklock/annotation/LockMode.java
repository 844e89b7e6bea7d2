package io.github.zklock.annotation;

/** With whom a method may share its lock. */
public enum LockMode {
    /** With nobody. */
    EXCLUSIVE,
    /** With other readers of the same name. */
    READ,
    /** With nobody, readers of the same name included. */
    WRITE
}
