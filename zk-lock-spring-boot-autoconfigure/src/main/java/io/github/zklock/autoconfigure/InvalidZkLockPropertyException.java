package io.github.zklock.autoconfigure;

import java.util.Objects;

/** Reports an invalid value of a {@code zk.lock.*} property. Its message contains no secret. */
public final class InvalidZkLockPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;
    private final String fact;
    private final String remedy;

    /**
     * @param property the full name, such as {@code zk.lock.locks[2].name}
     * @param fact what is wrong, as the predicate of the name: {@code 0s is not positive}
     * @param remedy what to do, in the imperative: {@code use 1ms or more}
     */
    public InvalidZkLockPropertyException(String property, String fact, String remedy) {
        super(property + " " + fact + "; " + remedy);
        this.property = Objects.requireNonNull(property, "property");
        this.fact = Objects.requireNonNull(fact, "fact");
        this.remedy = Objects.requireNonNull(remedy, "remedy");
    }

    /** Returns the full name of the property. */
    public String property() {
        return property;
    }

    /** Returns what is wrong, including the value unless it is secret. */
    public String fact() {
        return fact;
    }

    /** Returns what to do about it. */
    public String remedy() {
        return remedy;
    }
}
