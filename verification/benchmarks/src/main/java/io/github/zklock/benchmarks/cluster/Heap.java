package io.github.zklock.benchmarks.cluster;

import io.github.zklock.faults.cluster.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap use of another process. */
final class Heap {

    /** The last line of a class histogram, which begins with a collection: instances and bytes. */
    private static final Pattern TOTAL = Pattern.compile("^Total\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);

    private Heap() {}

    /** Returns the size of all live objects, in bytes. */
    static long inUse(long process) throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(
                        Jdk.own().home().resolve("bin").resolve("jcmd").toString(),
                        Long.toString(process),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        asked.waitFor();
        Matcher total = TOTAL.matcher(answer);
        if (!total.find()) {
            throw new IOException("No heap use of process " + process + ": " + answer);
        }
        return Long.parseLong(total.group(1));
    }
}
