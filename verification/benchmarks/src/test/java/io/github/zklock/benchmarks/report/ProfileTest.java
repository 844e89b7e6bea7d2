package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {

    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final Duration LONG_ENOUGH = Duration.ofMillis(500);

    @TempDir
    Path folder;

    private volatile double result;

    @Test
    void textNamesTheRunningMethodAndItsCaller() throws Exception {
        Path file = folder.resolve("test.jfr");
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.enable(SAMPLE).withPeriod(Duration.ofMillis(10));
            recording.start();
            work();
            recording.dump(file);
        }

        String text = Profile.read(file).text(3);

        assertThat(text.lines().findFirst().orElseThrow()).matches("seen at work \\d+ times");
        assertThat(text.lines().skip(1))
                .hasSizeBetween(1, 3)
                .first()
                .asString()
                .matches(" *\\d+\\.\\d %  .*" + ProfileTest.class.getName() + "\\.work");
    }

    @Test
    void recordingWithoutSamplesIsEmpty() throws Exception {
        Path file = folder.resolve("idle.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(file);
        }

        assertThat(Profile.read(file).text(3)).isEqualTo("seen at work 0 times");
    }

    @Test
    void unwrittenRecordingIsEmpty() throws Exception {
        Path file = Files.createFile(folder.resolve("ended.jfr"));

        assertThat(Profile.read(file).text(3)).isEqualTo("seen at work 0 times");
    }

    private void work() {
        double[] values = new double[10_000];
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - start < LONG_ENOUGH.toNanos()) {
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.sin(result + i);
            }
            result = Arrays.stream(values).sum();
        }
    }
}
