package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.Comparator;

/** A seat in a committed queue, read from its name without the engine's help. */
record SimSeat(String node, Demand demand, long sequence) implements Comparable<SimSeat> {

    private static final int DIGITS = 10;
    /** From here on our locks use no number. */
    static final int LAST_SEQUENCE = 2_000_000_000;

    private static final String PERMITS = "-permits-";
    private static final String OF = "-of-";
    // at an equal number the writer stands before the reader that it becomes
    private static final Comparator<SimSeat> ORDER =
            Comparator.comparingLong(SimSeat::sequence).thenComparing(seat -> seat.demand.equals(Demand.READ));

    static boolean isSeat(String node) {
        return node.length() > DIGITS
                && (node.contains("lock-")
                        || node.contains("__READ__")
                        || node.contains("__WRIT__")
                        || node.contains(PERMITS));
    }

    static SimSeat of(String node) {
        int end = node.length() - DIGITS;
        // a sign stands behind the mark that a stem ends with
        boolean negative = node.charAt(end - 1) == '-' && (node.charAt(end - 2) == '-' || node.charAt(end - 2) == '_');
        end -= negative ? 1 : 0;
        return new SimSeat(node, demandOf(node.substring(0, end)), Long.parseLong(node.substring(end)));
    }

    /** Whether its number is near the end of all numbers or beyond, where they tell no longer who came first. (M7) */
    boolean isPastTheLast() {
        return sequence >= LAST_SEQUENCE || sequence < 0;
    }

    @Override
    public int compareTo(SimSeat other) {
        return ORDER.compare(this, other);
    }

    private static Demand demandOf(String stem) {
        if (stem.endsWith("__READ__")) {
            return Demand.READ;
        }
        if (stem.endsWith("__WRIT__")) {
            return Demand.WRITE;
        }
        int permits = stem.indexOf(PERMITS);
        if (permits < 0) {
            return Demand.EXCLUSIVE;
        }
        int of = stem.indexOf(OF, permits);
        return Demand.permits(
                Integer.parseInt(stem.substring(permits + PERMITS.length(), of)),
                Integer.parseInt(stem.substring(of + OF.length(), stem.length() - 1)));
    }
}
