package io.github.zklock.zookeeper.internal.inspect;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.queue.BasePath;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A walk through the folders below the base path in the order of their paths, which collects one page of lock names. A
 * folder without seats that contains other folders is no lock.
 */
public final class NameWalk {

    /** The source of listings. */
    public interface Lister {

        /** Requests the children of a folder. The list is empty if the folder does not exist. */
        CompletableFuture<List<String>> list(String folder);

        /** Waits for an answer. */
        List<String> await(CompletableFuture<List<String>> listing) throws InterruptedException;
    }

    /** The number of siblings that are listed at once: one after the other, each would cost a round trip. */
    public static final int AHEAD = 64;

    private final String base;
    private final String after;
    private final int limit;
    private final Lister lister;
    private final List<LockName> page = new ArrayList<>();

    /** @param after the last folder of the previous page, or empty */
    public NameWalk(String base, String after, int limit, Lister lister) {
        this.base = base;
        this.after = after;
        this.limit = limit;
        this.lister = lister;
    }

    public List<LockName> below(String folder) throws InterruptedException {
        walk(foldersIn(folder, lister.await(lister.list(folder))));
        return page;
    }

    private void walk(List<String> folders) throws InterruptedException {
        Deque<CompletableFuture<List<String>>> ahead = new ArrayDeque<>();
        try {
            int asked = 0;
            for (int i = 0; i < folders.size() && page.size() < limit; i++) {
                String folder = folders.get(i);
                int wanted = Math.min(folders.size(), i + Math.min(AHEAD, limit - page.size()));
                for (; asked < wanted; asked++) {
                    ahead.add(lister.list(folders.get(asked)));
                }
                List<String> children = lister.await(ahead.remove());
                List<String> below = foldersIn(folder, children);
                if (compare(folder, after) > 0 && (below.isEmpty() || hasSeats(children))) {
                    nameOf(folder).ifPresent(page::add);
                }
                if (page.size() < limit) {
                    walk(below);
                }
            }
        } finally {
            ahead.forEach(listing -> listing.cancel(false));
        }
    }

    private static boolean hasSeats(List<String> children) {
        return children.stream().anyMatch(child -> SeatName.parse(child).isPresent());
    }

    private List<String> foldersIn(String folder, List<String> children) {
        return children.stream()
                .filter(child -> SeatName.parse(child).isEmpty())
                .filter(child -> !folder.equals("/") || !child.equals("zookeeper"))
                .sorted()
                .map(child -> folder.equals("/") ? "/" + child : folder + "/" + child)
                .filter(this::isAhead)
                .filter(path -> nameOf(path).isPresent())
                .toList();
    }

    /**
     * Returns whether the folder is not on an earlier page. A folder before the last one was on an earlier page with
     * everything below it, unless it is an ancestor of the last one.
     */
    private boolean isAhead(String folder) {
        return compare(folder, after) > 0 || after.equals(folder) || after.startsWith(folder + "/");
    }

    /**
     * Returns an empty result if other code created the folder: no lock of this library can have it, nor a folder below
     * it.
     */
    private Optional<LockName> nameOf(String folder) {
        try {
            LockName name =
                    LockFolder.nameOf(folder.substring(BasePath.prefix(base).length()));
            return LockFolder.of(base, name).equals(folder) ? Optional.of(name) : Optional.empty();
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** Compares segment by segment: a folder comes before its content, and its content before its next sibling. */
    private static int compare(String one, String other) {
        return one.replace('/', '\u0001').compareTo(other.replace('/', '\u0001'));
    }
}
