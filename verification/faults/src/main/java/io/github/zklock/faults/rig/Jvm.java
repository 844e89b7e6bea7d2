package io.github.zklock.faults.rig;

import java.util.List;
import java.util.Map;

/**
 * What a process of ours runs on.
 *
 * @param classes what stands before everything else in its class path, which is that of this JVM otherwise
 * @param launcher what the command begins with; it becomes the JVM without a process of its own
 * @param environment what it finds there besides what this JVM does
 */
public record Jvm(
        Java java, List<String> classes, List<String> launcher, List<String> options, Map<String, String> environment) {

    /** One with nothing in front of its command, and no environment of its own. */
    public static Jvm of(Java java, List<String> classes, List<String> options) {
        return new Jvm(java, classes, List.of(), options, Map.of());
    }
}
