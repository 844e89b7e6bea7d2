package io.github.zklock.aop.method;

/**
 * Reports an annotation of a method that is invalid or would have no effect. It is thrown at start-up, and the
 * application does not start. If there are several mistakes, the others are suppressed exceptions of the first.
 */
public final class InvalidAnnotationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final String problem;
    private final String remedy;

    InvalidAnnotationException(String place, String problem, String remedy) {
        super(place + " " + problem + "; " + remedy);
        this.place = place;
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Returns the annotation, and the class and the method that it applies to. */
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
