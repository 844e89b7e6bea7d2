package io.github.zklock.benchmarks.contender;

import java.util.Optional;

/** What one would do without another library: the threads of a process queue up before one of them asks Curator. */
final class CuratorBehindReentrantLock implements Contender {

    private final Curator curator;
    private final JdkLocks jdk = new JdkLocks(false);

    CuratorBehindReentrantLock(String servers) {
        curator = new Curator(servers);
    }

    @Override
    public LockAdapter exclusive(String name) {
        LockAdapter first = jdk.exclusive(name);
        LockAdapter second = curator.exclusive(name);
        return new LockAdapter() {

            @Override
            public Held acquire() throws Exception {
                Held outer = first.acquire();
                try {
                    return both(outer, second.acquire());
                } catch (Exception e) {
                    outer.close();
                    throw e;
                }
            }

            @Override
            public Optional<Held> tryAcquire() {
                throw new UnsupportedOperationException("Whoever tries has no use for a queue");
            }
        };
    }

    @Override
    public void close() {
        jdk.close();
        curator.close();
    }

    private static Held both(Held first, Held second) {
        return () -> {
            second.close();
            first.close();
        };
    }
}
