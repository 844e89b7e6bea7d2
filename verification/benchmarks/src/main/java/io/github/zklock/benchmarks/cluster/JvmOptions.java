package io.github.zklock.benchmarks.cluster;

/** What the JVMs of all that are compared are told, so that what is measured is what they come to after a while. */
public final class JvmOptions {

    /**
     * What is done a few hundred times a second stays uncompiled for longer than a round otherwise, and the compiler
     * works on the cores that are measured: so code is compiled after a tenth of the usual number of calls.
     */
    public static final String COMPILE_EARLY = "-XX:CompileThresholdScaling=0.1";

    private JvmOptions() {}
}
