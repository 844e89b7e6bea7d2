package io.github.zklock.benchmarks.cluster;

/** JVM options of all measured processes. */
public final class JvmOptions {

    /**
     * Compiles code after a tenth of the usual number of calls. Code that runs a few hundred times a second would
     * otherwise stay uncompiled for longer than a round, and then be compiled on the measured cores.
     */
    public static final String COMPILE_EARLY = "-XX:CompileThresholdScaling=0.1";

    private JvmOptions() {}
}
