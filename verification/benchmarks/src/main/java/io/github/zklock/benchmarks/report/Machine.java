package io.github.zklock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes the machine of the measurement. */
final class Machine {

    private static final Path CPUS = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private Machine() {}

    static String describe() {
        return "%d cores of %s, %s of memory, %s %s, %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        first(CPUS, "model name\\s*: (.*)", System.getProperty("os.arch")),
                        memory(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.vm.name"),
                        System.getProperty("java.version"));
    }

    private static String memory() {
        long kilobytes = Long.parseLong(first(MEMORY, "MemTotal:\\s*(\\d+) kB", "0"));
        return kilobytes == 0 ? "an unknown amount" : Math.round(kilobytes / (1024.0 * 1024)) + " GiB";
    }

    private static String first(Path file, String pattern, String otherwise) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException notLinux) {
            return otherwise;
        }
        Pattern wanted = Pattern.compile(pattern);
        return lines.stream()
                .map(wanted::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .findFirst()
                .orElse(otherwise);
    }
}
