package io.github.zklock.zookeeper.internal.engine;

/**
 * The place to which each call and each allocation of the engine leads first, where {@link ErrorPoints} has loaded the
 * engine. Each thread has its own.
 */
public final class ErrorPoint {

    /** The name of the loader that has woven the engine. */
    static final String LOADER = "error-points";

    private static final long NEVER = Long.MAX_VALUE;
    private static final ThreadLocal<ErrorPoint> OF_THREAD = ThreadLocal.withInitial(ErrorPoint::new);

    private long passed;
    private long failing = NEVER;
    private boolean lasting;
    private boolean inside;
    private boolean failed;

    private ErrorPoint() {}

    /** Whether the engine was loaded so that it leads here. */
    static boolean isWoven() {
        return LOADER.equals(ErrorPoint.class.getClassLoader().getName());
    }

    /**
     * Begins to count.
     *
     * @param point the number of the point that fails
     * @param untilReturn whether all later points fail as well, until the engine returns to its caller
     */
    static void plant(long point, boolean untilReturn) {
        ErrorPoint own = OF_THREAD.get();
        own.passed = 0;
        own.failing = point;
        own.lasting = untilReturn;
        own.failed = false;
    }

    /** Whether the point was reached. */
    static boolean hasFailed() {
        return OF_THREAD.get().failed;
    }

    /** Runs the action as a caller of the engine does: only here points count. */
    static void enter(Runnable action) {
        ErrorPoint own = OF_THREAD.get();
        boolean before = own.inside;
        own.inside = true;
        try {
            action.run();
        } finally {
            own.inside = before;
        }
    }

    /** What is no part of the engine. */
    interface Outside {
        Object run() throws Throwable;
    }

    /** Runs this as what is no part of the engine: no point counts. */
    static Object leaving(Outside action) throws Throwable {
        ErrorPoint own = OF_THREAD.get();
        boolean before = own.inside;
        own.inside = false;
        try {
            return action.run();
        } finally {
            own.inside = before;
        }
    }

    /** Called by the engine's classes before each call and each allocation. */
    public static void pass() {
        ErrorPoint own = OF_THREAD.get();
        if (own.inside && ++own.passed >= own.failing) {
            own.failed = true;
            if (!own.lasting) {
                own.failing = NEVER;
            }
            throw new StackOverflowError("planted at point " + own.passed);
        }
    }

    /** No point fails from now on. */
    static void end() {
        OF_THREAD.get().failing = NEVER;
    }

    /** Called when the engine has returned to its caller: what lasted is over. */
    static void returned() {
        ErrorPoint own = OF_THREAD.get();
        if (own.failed) {
            own.failing = NEVER;
        }
    }
}
