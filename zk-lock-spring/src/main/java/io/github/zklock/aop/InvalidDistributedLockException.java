package io.github.zklock.aop;

/**
 * Reports a {@code @DistributedLock} that is invalid or would have no effect. It is thrown at start-up, and the
 * application does not start.
 */
public final class InvalidDistributedLockException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final String problem;
    private final String remedy;

    public InvalidDistributedLockException(String place, String problem, String remedy) {
        super("@DistributedLock on " + place + " " + problem + "; " + remedy);
        this.place = place;
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Returns the class and the method that the annotation applies to. */
    public String place() {
        return place;
    }

    /** Returns what is wrong, as the predicate of a sentence about the annotation. */
    public String problem() {
        return problem;
    }

    /** Returns what to do about it, as an imperative. */
    public String remedy() {
        return remedy;
    }
}
