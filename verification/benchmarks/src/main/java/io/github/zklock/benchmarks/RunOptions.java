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
 * @param busy the number of threads beside that compute all the time
 */
record RunOptions(Mode mode, Set<String> workloads, boolean resumed, boolean disks, int busy) {

    static final String USAGE = """
            run [quick|full|list|--help] [--workload free,tries] [--resume] [--disks] [--busy 2]
              quick     a few workloads, for a first impression (the default)
              full      all workloads; replaces the figures in docs/internals/benchmarks.md unless workloads are named
              list      prints the workloads
              --workload free,tries   only these workloads
              --resume                keeps the figures of the last full run, also if it was stopped, and measures what
                                      is missing or named
              --disks                 with quick: the servers wait for their disks, as they do in production
              --busy 2                with quick: two threads compute all the time beside, as on a busy machine""";

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
        int busy = 0;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "quick", "full", "list" -> mode = Mode.valueOf(word.toUpperCase(Locale.ROOT));
                case "--help" -> mode = Mode.HELP;
                case "--resume" -> resumed = true;
                case "--disks" -> disks = true;
                case "--busy" -> busy = threads(rest);
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
        if ((disks || busy > 0) && mode != Mode.QUICK) {
            throw new IllegalArgumentException((disks ? "--disks" : "--busy")
                    + " would replace the figures of an idle machine without disks; use it with quick");
        }
        return new RunOptions(mode, workloads, resumed, disks, busy);
    }

    private static int threads(Iterator<String> rest) {
        String number = rest.hasNext() ? rest.next() : "";
        if (!number.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException(
                    "--busy is followed by a number of threads from 1 to 99, not '" + number + "'");
        }
        return Integer.parseInt(number);
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
