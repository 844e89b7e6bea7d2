package io.github.zklock.zookeeper.internal.transport;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folders that recently existed or were missing. The result is a guess, because ZooKeeper deletes empty containers
 * once a minute. Owned by the loop.
 */
final class FolderMemory {

    private static final int MOST_FOLDERS = 10_000;

    private record Seen(boolean exists, long at) {}

    private final Map<String, Seen> seen = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST_FOLDERS;
        }
    };

    private final long lastsNanos;

    FolderMemory(long lastsNanos) {
        this.lastsNanos = lastsNanos;
    }

    void note(String folder, boolean exists, long now) {
        // removed first, so that the order is that of the latest notes
        seen.remove(folder);
        seen.put(folder, new Seen(exists, now));
    }

    void forget(String folder) {
        seen.remove(folder);
    }

    boolean isKnown(String folder, long now) {
        return current(folder, now) != null;
    }

    /** Returns whether the folder was missing. */
    boolean isMissing(String folder, long now) {
        Seen known = current(folder, now);
        return known != null && !known.exists();
    }

    private @Nullable Seen current(String folder, long now) {
        Seen known = seen.get(folder);
        return known == null || now - known.at() > lastsNanos ? null : known;
    }
}
