package io.github.zklock.benchmarks.contender;

import java.util.Optional;

/**
 * What an application can do without another library: the threads of a process queue for a JDK lock before one of them
 * calls Curator.
 */
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
                throw new UnsupportedOperationException("A try does not wait, so it needs no queue");
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
