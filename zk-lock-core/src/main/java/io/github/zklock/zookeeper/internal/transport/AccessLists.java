package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.queue.BasePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The access lists that a user's provider returns for the nodes of each lock. The provider runs on the thread that
 * requests a lock, and not on the loop, where it could stop all locks. Thread-safe.
 */
public final class AccessLists {

    /** The path that represents all seats of a folder, because the names of seats are not known in advance. */
    private static final String SEAT = "/lock-";

    private static final int MOST_PATHS = 100_000;
    /** The largest list. A server rejects requests of a megabyte by closing the connection, on which all locks depend. */
    private static final int MOST_BYTES = 128 * 1024;
    /** The bytes of an entry beside its words. */
    private static final int ENTRY_BYTES = 12;

    private final ACLProvider provider;
    private final @Nullable String namespace;
    private final String basePath;
    /** The folders of records. A record gets the list of its folder. */
    private final List<String> records;

    /** The lists by path; one path represents all seats of a folder. The least recently used ones are removed first. */
    private final Map<String, List<ACL>> known = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<ACL>> eldest) {
            return size() > MOST_PATHS;
        }
    });

    /** @param basePath the folder of the lock folders, in which each session has a node of its own */
    public AccessLists(ACLProvider provider, @Nullable String namespace, String basePath) {
        this.provider = provider;
        this.namespace = namespace;
        this.basePath = BasePath.prefix(basePath);
        this.records = Stream.of(BasePath.RUNS, BasePath.WAITS)
                .map(folder -> ZKPaths.fixForNamespace(namespace, this.basePath + folder))
                .toList();
    }

    /** Returns whether {@link #ask} needs no call of the provider. The lists count as used now. */
    public boolean areKnown(String lockFolder) {
        boolean all = true;
        for (String path : pathsOf(lockFolder)) {
            all &= known.get(path) != null;
        }
        return all;
    }

    /**
     * Calls the provider for the nodes of one lock, unless their lists are known.
     *
     * @throws IllegalStateException if the provider fails
     */
    public void ask(String lockFolder) {
        pathsOf(lockFolder).forEach(this::learn);
    }

    private List<String> pathsOf(String lockFolder) {
        String folder = ZKPaths.fixForNamespace(namespace, lockFolder);
        List<String> paths = new ArrayList<>();
        for (int slash = folder.indexOf('/', 1); slash > 0; slash = folder.indexOf('/', slash + 1)) {
            paths.add(folder.substring(0, slash));
        }
        paths.add(folder);
        paths.add(folder + SEAT);
        paths.add(ZKPaths.fixForNamespace(namespace, basePath + SEAT));
        paths.addAll(records);
        return paths;
    }

    /**
     * Returns the list of a node without a call of the provider.
     *
     * @throws IllegalStateException if the list is not known any more
     */
    public List<ACL> of(String path) {
        List<ACL> list = find(path);
        if (list == null) {
            throw new IllegalStateException(
                    "the access list of " + path + " is not known any more; request the lock again");
        }
        return list;
    }

    /** Returns about the size of a list in a request. */
    static int bytesOf(List<ACL> list) {
        int bytes = 0;
        for (ACL entry : list) {
            bytes += ENTRY_BYTES
                    + entry.getId().getScheme().length()
                    + entry.getId().getId().length();
        }
        return bytes;
    }

    private @Nullable List<ACL> find(String path) {
        for (String folder : records) {
            if (path.length() > folder.length() && path.startsWith(folder) && path.charAt(folder.length()) == '/') {
                return known.get(folder);
            }
        }
        List<ACL> list = known.get(path);
        return list == null ? known.get(path.substring(0, path.lastIndexOf('/')) + SEAT) : list;
    }

    private void learn(String path) {
        // read, so that this list counts as the most recently used one
        if (known.get(path) == null) {
            List<ACL> list = ask(path, provider);
            int bytes = bytesOf(list);
            if (bytes > MOST_BYTES) {
                throw new IllegalStateException("the access list of " + path + " has " + list.size() + " entries and "
                        + bytes + " bytes, so that ZooKeeper could reject each request with it; return at most "
                        + MOST_BYTES + " bytes from the ACLProvider");
            }
            known.put(path, list);
        }
    }

    private static List<ACL> ask(String path, ACLProvider provider) {
        try {
            List<ACL> own = provider.getAclForPath(path);
            List<ACL> list = own == null ? provider.getDefaultAcl() : own;
            return List.copyOf(Objects.requireNonNull(list, "the ACLProvider returned null"));
        } catch (RuntimeException failed) {
            throw new IllegalStateException(
                    "the ACLProvider returned no access list for " + path + ": " + failed.getMessage(), failed);
        }
    }
}
