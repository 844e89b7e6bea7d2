package io.github.zklock.zookeeper.internal.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the work of the engine where {@link CountedEngine} has loaded it: each method and each turn of a loop counts
 * one, and each element that a collection of the JDK copies or counts one by one. Counts the thread that has begun: the
 * log has a thread of its own.
 */
public final class WorkMeter {

    private static final int MOST_NAMED = 8;
    private static final Map<String, long[]> BY_METHOD = new HashMap<>();

    private static @Nullable Thread counted;
    private static long done;

    private WorkMeter() {}

    static void begin() {
        counted = Thread.currentThread();
        done = 0;
        BY_METHOD.clear();
    }

    static long done() {
        return done;
    }

    /** Returns the methods that did most of the work. */
    static String busiest() {
        return BY_METHOD.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue()[0]))
                .limit(MOST_NAMED)
                .map(each -> "%s %,d".formatted(each.getKey(), each.getValue()[0]))
                .collect(Collectors.joining(", "));
    }

    /** Called at the begin of each method and before each jump backwards. */
    public static void step(String method) {
        add(1, method);
    }

    private static void add(int steps, String method) {
        if (Thread.currentThread() == counted) {
            done += steps;
            BY_METHOD.computeIfAbsent(method, first -> new long[1])[0] += steps;
        }
    }

    /** Called before a method that visits all elements of a collection or map. */
    public static @Nullable Object visit(@Nullable Object all, String method) {
        if (all instanceof Collection<?> collection) {
            add(collection.size(), method);
        } else if (all instanceof Map<?, ?> map) {
            add(map.size(), method);
        }
        return all;
    }

    /** Called before a collection is asked for its size: a part of a tree counts its elements. */
    public static @Nullable Object measure(@Nullable Object measured, String method) {
        return measured != null && measured.getClass().getName().contains("Sub") ? visit(measured, method) : measured;
    }
}
