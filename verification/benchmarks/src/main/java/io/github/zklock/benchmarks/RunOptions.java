package io.github.zklock.benchmarks;

import io.github.zklock.benchmarks.workload.Workload;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * What the command line asks for.
 *
 * @param workloads the ids of those wanted; all if empty
 */
record RunOptions(Mode mode, Set<String> workloads) {

    static final String USAGE = """
            run [quick|full|profile|list|--help] [--workload free,tries]
              quick     a few workloads, for a first impression (the default)
              full      as many as docs/benchmarks.md is made of, which it writes anew unless workloads are named
              profile   where this library spends its time in the workloads that are named
              list      the workloads
              --workload free,tries   these alone""";

    /** One thread, many locks, many contenders. */
    private static final Set<String> FIRST_IMPRESSION = Set.of("free", "own-64", "all-of-4", "three-processes");

    /** How much is measured. */
    enum Mode {
        QUICK("quick"),
        FULL("full"),
        PROFILE("profile"),
        LIST("list"),
        HELP("--help");

        private final String word;

        Mode(String word) {
            this.word = word;
        }
    }

    /** @throws IllegalArgumentException if it makes no sense, with what is wrong */
    static RunOptions parse(List<String> words) {
        Mode mode = Mode.QUICK;
        Set<String> workloads = Set.of();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            if (word.equals("--workload")) {
                if (!rest.hasNext()) {
                    throw new IllegalArgumentException("--workload names none");
                }
                workloads = Set.of(rest.next().split(",", -1));
            } else {
                mode = mode(word);
            }
        }
        if (mode == Mode.PROFILE && workloads.isEmpty()) {
            throw new IllegalArgumentException("profile asks for --workload");
        }
        return new RunOptions(mode, workloads);
    }

    boolean wants(Workload workload) {
        return workloads.isEmpty()
                ? mode != Mode.QUICK || FIRST_IMPRESSION.contains(workload.id())
                : workloads.contains(workload.id());
    }

    /** Only what is whole replaces what was published. */
    boolean isToBePublished() {
        return mode == Mode.FULL && workloads.isEmpty();
    }

    private static Mode mode(String word) {
        return Arrays.stream(Mode.values())
                .filter(mode -> mode.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no word of this command"));
    }
}
