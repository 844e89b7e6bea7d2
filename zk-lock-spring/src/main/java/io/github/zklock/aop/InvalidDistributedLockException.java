package io.github.zklock.aop;

/** A {@code @DistributedLock} that could not do what it says. Found at start-up; the application does not start. */
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

    /** The class and the method. */
    public String place() {
        return place;
    }

    /** What is wrong with it, as the rest of a sentence about the annotation. */
    public String problem() {
        return problem;
    }

    /** What to do about it, as an order. */
    public String remedy() {
        return remedy;
    }
}
