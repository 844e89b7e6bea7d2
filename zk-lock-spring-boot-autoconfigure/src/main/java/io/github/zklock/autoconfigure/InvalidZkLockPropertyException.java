package io.github.zklock.autoconfigure;

import java.util.Objects;

/** A value of {@code zk.lock.*} that cannot work. Its message never shows a secret. */
public final class InvalidZkLockPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;
    private final String fact;
    private final String remedy;

    /**
     * @param property the full name, such as {@code zk.lock.locks[2].name}
     * @param fact what is wrong with it, after the name: {@code 0s is not positive}
     * @param remedy what to do, in the imperative: {@code use 1ms or more}
     */
    public InvalidZkLockPropertyException(String property, String fact, String remedy) {
        super(property + " " + fact + "; " + remedy);
        this.property = Objects.requireNonNull(property, "property");
        this.fact = Objects.requireNonNull(fact, "fact");
        this.remedy = Objects.requireNonNull(remedy, "remedy");
    }

    /** The full name of the property. */
    public String property() {
        return property;
    }

    /** What is wrong with its value, which is part of it unless it is secret. */
    public String fact() {
        return fact;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
