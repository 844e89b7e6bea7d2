package io.github.zklock.benchmarks.contender;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
import java.time.Duration;

/** All measured systems. */
public enum Contenders {
    BOUNDED("zk-lock, bounded", true) {
        @Override
        public Contender open(String servers) {
            return new ZkLock(servers, handOff(), false);
        }
    },
    STRICT("zk-lock, strict", true) {
        @Override
        public Contender open(String servers) {
            return new ZkLock(servers, HandOff.strict(), false);
        }
    },
    LINGER("zk-lock, linger", true) {
        @Override
        public Contender open(String servers) {
            return new ZkLock(servers, LockPolicy.defaults().handOff().lingering(LINGER_TIME), false);
        }
    },
    ASYNC("zk-lock, async", true) {
        @Override
        public Contender open(String servers) {
            return new ZkLock(servers, handOff(), true);
        }
    },
    CURATOR("Curator", false) {
        @Override
        public Contender open(String servers) {
            return new Curator(servers);
        }
    },
    CURATOR_BEHIND("Curator behind a ReentrantLock", false) {
        @Override
        public Contender open(String servers) {
            return new CuratorBehindReentrantLock(servers);
        }
    },
    SPRING_INTEGRATION("Spring Integration", false) {
        @Override
        public Contender open(String servers) {
            return new SpringIntegration(servers);
        }
    },
    SHEDLOCK("ShedLock", false) {
        @Override
        public Contender open(String servers) {
            return new ShedLock(servers);
        }
    },
    REDISSON("Redisson (one Redis)", false) {
        @Override
        public Contender open(String servers) {
            return new RedissonLocks(servers);
        }
    },
    CREATE_AND_DELETE("create + delete, no lock", false) {
        @Override
        public Contender open(String servers) throws Exception {
            return new CreateAndDelete(servers);
        }
    },
    POLLED("one node, polled", false) {
        @Override
        public Contender open(String servers) throws Exception {
            return new SingleNodeLock(servers, false);
        }
    },
    WATCHED("one node, watched", false) {
        @Override
        public Contender open(String servers) throws Exception {
            return new SingleNodeLock(servers, true);
        }
    },
    JDK("ReentrantLock, one process", false) {
        @Override
        public Contender open(String servers) {
            return new JdkLocks(false);
        }
    },
    FAIR_JDK("fair ReentrantLock, one process", false) {
        @Override
        public Contender open(String servers) {
            return new JdkLocks(true);
        }
    };

    /** The property of a process with the number of turns of a seat. */
    public static final String TURNS = "benchmarks.turns";

    /** The property of a process with the longest time of a seat, in milliseconds. */
    public static final String MILLIS = "benchmarks.millis";

    /** The property of a process with its session timeout, in seconds. */
    public static final String SESSION_SECONDS = "benchmarks.session.seconds";

    private static final Duration LINGER_TIME = Duration.ofSeconds(30);

    private final String label;
    private final boolean ours;

    Contenders(String label, boolean ours) {
        this.label = label;
        this.ours = ours;
    }

    /** Connects a process. */
    public abstract Contender open(String servers) throws Exception;

    /** Returns the name in tables and charts. */
    public String label() {
        return label;
    }

    public boolean isOurs() {
        return ours;
    }

    private static HandOff handOff() {
        HandOff usual = LockPolicy.defaults().handOff();
        return HandOff.bounded(
                Integer.getInteger(TURNS, usual.maxTurns()),
                Duration.ofMillis(Long.getLong(MILLIS, usual.maxTime().toMillis())));
    }
}
