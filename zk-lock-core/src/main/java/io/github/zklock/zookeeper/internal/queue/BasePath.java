package io.github.zklock.zookeeper.internal.queue;

/**
 * The folder below which a registry has all its nodes. Folders there whose names begin with a dot are no folders of
 * locks.
 */
public final class BasePath {

    /** The folder of the records of runs, below the base path. */
    public static final String RUNS = "/.runs";

    /** The folder of the published waits, below the base path. */
    public static final String WAITS = "/.waits";

    private BasePath() {}

    /** Returns what comes before the slash in the path of each node there: empty for the base path {@code /}. */
    public static String prefix(String basePath) {
        return basePath.equals("/") ? "" : basePath;
    }
}
