package io.github.zklock.benchmarks.load;

/** A histogram of times, with an error of about 3 %. */
final class Histogram {

    /** The number of buckets of each power of two. */
    private static final int BUCKETS = 32;

    private static final int BITS = Integer.numberOfTrailingZeros(BUCKETS);

    private final long[] counts = new long[(Long.SIZE - BITS) * BUCKETS + BUCKETS];
    private long total;

    void add(long nanos) {
        counts[bucket(Math.max(nanos, 0))]++;
        total++;
    }

    void add(Histogram other) {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        total += other.total;
    }

    long total() {
        return total;
    }

    /** Returns the quantile for a part of all times; 0 without times. */
    long quantile(double part) {
        long wanted = (long) Math.ceil(part * total);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted && seen > 0) {
                return highest(bucket);
            }
        }
        return 0;
    }

    private static int bucket(long nanos) {
        if (nanos < 2 * BUCKETS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - BITS;
        return shift * BUCKETS + (int) (nanos >>> shift);
    }

    private static long highest(int bucket) {
        if (bucket < 2 * BUCKETS) {
            return bucket;
        }
        int shift = bucket / BUCKETS - 1;
        long lowest = (long) (bucket - shift * BUCKETS) << shift;
        return lowest + (1L << shift) - 1;
    }
}
