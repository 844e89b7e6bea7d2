package io.github.zklock.zookeeper.internal.runtime;

/**
 * A test whether the stack of the current thread has room for a task of the engine, including the client's code below
 * it. (L26)
 */
public final class StackProbe {

    private static final int FRAMES = 96;

    private StackProbe() {}

    public static boolean hasRoom() {
        try {
            return descend(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) > 0;
        } catch (StackOverflowError none) {
            return false;
        }
    }

    /** Compiled frames are small, so the parameters give each frame the size of a usual one. */
    @SuppressWarnings("TooManyParameters")
    private static long descend(
            int frames, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
        return frames == 0
                ? a + b + c + d + e + f + g + h + i + j
                : descend(frames - 1, b, c, d, e, f, g, h, i, j, a) + 1;
    }
}
