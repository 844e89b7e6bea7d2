package io.github.zklock.autoconfigure;

import java.util.List;

/** Reports several {@code CuratorFramework} beans of which none is marked as the client for locks. */
public final class AmbiguousZooKeeperClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String[] candidates;

    AmbiguousZooKeeperClientException(List<String> candidates) {
        super("The CuratorFramework beans " + candidates + " are candidates for the lock registry; mark one as"
                + " @Primary, name one " + ZkLockAutoConfiguration.CLIENT
                + ", or exclude the others with @Bean(defaultCandidate = false)");
        this.candidates = candidates.toArray(String[]::new);
    }

    /** Returns the names of the beans. */
    public List<String> candidates() {
        return List.of(candidates);
    }
}
