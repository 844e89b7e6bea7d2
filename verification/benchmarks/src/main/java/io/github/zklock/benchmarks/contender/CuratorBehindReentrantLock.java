package io.github.zklock.benchmarks.contender;

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
        return () -> {
            AutoCloseable outer = first.acquire();
            // a failure ends the process, so that nothing has to be released then
            AutoCloseable inner = second.acquire();
            return () -> {
                inner.close();
                outer.close();
            };
        };
    }

    @Override
    public void close() {
        curator.close();
    }
}
