package io.github.zklock.faults.cluster;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How to launch a JVM.
 *
 * @param classes entries in front of its class path, which is otherwise that of this JVM
 * @param launcher the beginning of the command, which must replace itself by the JVM
 * @param environment further environment variables
 */
public record Jvm(
        Jdk jdk, List<String> classes, List<String> launcher, List<String> options, Map<String, String> environment) {

    /** Options for a JVM that lives for seconds: a fast start matters more than fast code. */
    private static final List<String> SHORT_LIVED = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Returns a JVM without a launcher and further environment variables. */
    public static Jvm of(Jdk jdk, List<String> classes, List<String> options) {
        return new Jvm(jdk, classes, List.of(), options, Map.of());
    }

    /** Returns the same JVM with options for a fast start. */
    public Jvm shortLived() {
        List<String> all = Stream.concat(SHORT_LIVED.stream(), options.stream()).toList();
        return new Jvm(jdk, classes, launcher, all, environment);
    }
}
