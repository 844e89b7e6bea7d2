package io.github.zklock.console;

import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The names of all locks, in the order of their paths.
 *
 * @param truncated whether there are more
 */
record NameSnapshot(List<String> names, boolean truncated) {

    /** So many names are known at most. */
    static final int MOST = 50_000;

    private static final int FIRST_PAGE = 250;
    private static final int LARGEST_PAGE = 10_000;

    /**
     * Walks through all of them. Each page lists the folders above it again, so pages grow, as long as they come in
     * a small part of the time that one may take.
     *
     * @param patience the time that one page may take
     */
    static NameSnapshot take(LockInspector inspector, Duration patience, LongSupplier nanoTime)
            throws InterruptedException {
        List<String> names = new ArrayList<>();
        String after = "";
        int size = FIRST_PAGE;
        while (names.size() <= MOST) {
            long startedAt = nanoTime.getAsLong();
            List<LockName> page = inspector.names("/", after, size);
            page.forEach(name -> names.add(name.value()));
            if (page.size() < size) {
                return new NameSnapshot(List.copyOf(names), false);
            }
            after = names.get(names.size() - 1);
            if (nanoTime.getAsLong() - startedAt < patience.toNanos() / 10) {
                size = Math.min(LARGEST_PAGE, 2 * size);
            }
        }
        return new NameSnapshot(List.copyOf(names.subList(0, MOST)), true);
    }

    /**
     * Those that contain this text, in whatever case, and lie in this folder.
     *
     * @param search empty for all
     * @param folder empty, or {@code /}, for all
     */
    List<String> matching(String search, String folder) {
        String wanted = search.toLowerCase(Locale.ROOT);
        String path = folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
        Stream<String> found = names.stream();
        if (!path.isEmpty()) {
            found = found.filter(name -> name.equals(path) || name.startsWith(path + "/"));
        }
        if (!wanted.isEmpty()) {
            found = found.filter(name -> name.toLowerCase(Locale.ROOT).contains(wanted));
        }
        return found.toList();
    }
}
