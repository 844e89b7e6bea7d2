package io.github.zklock.benchmarks.contender;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;

/** All measured systems. */
public enum Contenders {
    BOUNDED(
            "zk-lock, bounded",
            servers -> new ZkLock(servers, LockPolicy.defaults().handOff(), false)),
    STRICT("zk-lock, strict", servers -> new ZkLock(servers, HandOff.strict(), false)),
    ASYNC("zk-lock, async", servers -> new ZkLock(servers, LockPolicy.defaults().handOff(), true)),
    CURATOR("Curator", Curator::new),
    CURATOR_BEHIND("Curator behind a ReentrantLock", CuratorBehindReentrantLock::new),
    SPRING_INTEGRATION("Spring Integration", SpringIntegration::new),
    SHEDLOCK("ShedLock", ShedLock::new),
    REDISSON("Redisson (one Redis)", RedissonLocks::new),
    CREATE_AND_DELETE("create + delete, no lock", CreateAndDelete::new),
    WATCHED("one node, watched", SingleNodeLock::new),
    JDK("ReentrantLock, one process", servers -> new JdkLocks(false)),
    FAIR_JDK("fair ReentrantLock, one process", servers -> new JdkLocks(true));

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // constructors
    private final Factory factory;

    Contenders(String label, Factory factory) {
        this.label = label;
        this.factory = factory;
    }

    /** Connects a process. */
    public Contender open(String servers) throws Exception {
        return factory.open(servers);
    }

    /** Returns the name in tables and charts. */
    public String label() {
        return label;
    }

    @FunctionalInterface
    private interface Factory {
        Contender open(String servers) throws Exception;
    }
}
