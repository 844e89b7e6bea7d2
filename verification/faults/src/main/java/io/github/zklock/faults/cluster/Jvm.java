package io.github.zklock.faults.cluster;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a process of ours runs on.
 *
 * @param classes what stands before everything else in its class path, which is that of this JVM otherwise
 * @param launcher what the command begins with; it becomes the JVM without a process of its own
 * @param environment what it finds there besides what this JVM does
 */
public record Jvm(
        Jdk jdk, List<String> classes, List<String> launcher, List<String> options, Map<String, String> environment) {

    /** For one that lives for seconds: starting fast is worth more than running fast. */
    private static final List<String> BRIEF = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** One with nothing in front of its command, and no environment of its own. */
    public static Jvm of(Jdk jdk, List<String> classes, List<String> options) {
        return new Jvm(jdk, classes, List.of(), options, Map.of());
    }

    /** One that starts fast and never runs fast. */
    public Jvm brief() {
        List<String> all = Stream.concat(BRIEF.stream(), options.stream()).toList();
        return new Jvm(jdk, classes, launcher, all, environment);
    }
}
