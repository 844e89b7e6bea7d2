package io.github.zklock.benchmarks;

import io.github.zklock.benchmarks.workload.Workload;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The options of the command line.
 *
 * @param workloads the ids of the requested workloads; all if empty
 * @param resumed whether the figures of an earlier full run are kept
 * @param disks whether the servers wait for their disks
 */
record RunOptions(Mode mode, Set<String> workloads, boolean resumed, boolean disks) {

    static final String USAGE = """
            run [quick|full|list|--help] [--workload free,tries] [--resume] [--disks]
              quick     a few workloads, for a first impression (the default)
              full      all workloads; replaces the figures in docs/internals/benchmarks.md unless workloads are named
              list      prints the workloads
              --workload free,tries   only these workloads
              --resume                keeps the figures of the last full run, also if it was stopped, and measures what
                                      is missing or named
              --disks                 with quick: the servers wait for their disks, as they do in production""";

    /** One thread, many locks, several locks together, and contention. */
    private static final Set<String> FIRST_IMPRESSION = Set.of("free", "own-64", "all-of-4", "three-processes");

    /** How much is measured. */
    enum Mode {
        QUICK,
        FULL,
        LIST,
        HELP
    }

    /**
     * Parses the words of the command line.
     *
     * @throws IllegalArgumentException if they are invalid; the message says why
     */
    static RunOptions parse(List<String> words) {
        Mode mode = Mode.QUICK;
        Set<String> workloads = Set.of();
        boolean resumed = false;
        boolean disks = false;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "quick", "full", "list" -> mode = Mode.valueOf(word.toUpperCase(Locale.ROOT));
                case "--help" -> mode = Mode.HELP;
                case "--resume" -> resumed = true;
                case "--disks" -> disks = true;
                case "--workload" -> {
                    if (!rest.hasNext()) {
                        throw new IllegalArgumentException("--workload names none");
                    }
                    workloads = Set.of(rest.next().split(",", -1));
                }
                default -> throw new IllegalArgumentException("'" + word + "' is no mode or option");
            }
        }
        if (resumed && mode != Mode.FULL) {
            throw new IllegalArgumentException("--resume continues a full run; use it with full");
        }
        if (disks && mode != Mode.QUICK) {
            throw new IllegalArgumentException(
                    "--disks would replace the figures of servers without disks; use it with quick");
        }
        return new RunOptions(mode, workloads, resumed, disks);
    }

    /**
     * Returns the workloads to measure.
     *
     * @throws IllegalArgumentException if a requested one is not among them
     */
    List<Workload> select(List<Workload> all) {
        Set<String> few = mode == Mode.QUICK && workloads.isEmpty() ? FIRST_IMPRESSION : workloads;
        for (String id : few) {
            if (all.stream().noneMatch(workload -> workload.id().equals(id))) {
                throw new IllegalArgumentException("No workload '" + id + "'; `run list` prints all");
            }
        }
        return all.stream()
                .filter(workload -> few.isEmpty() || few.contains(workload.id()))
                .toList();
    }

    /** Returns whether the results replace the published ones if no workload is missing. */
    boolean isToBePublished() {
        return mode == Mode.FULL && (workloads.isEmpty() || resumed);
    }
}
