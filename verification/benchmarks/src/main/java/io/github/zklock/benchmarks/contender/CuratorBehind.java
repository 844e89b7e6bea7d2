package io.github.zklock.benchmarks.contender;

import java.util.Optional;

/** What one would do without another library: the threads of a process queue up before one of them asks Curator. */
final class CuratorBehind implements Contender {

    private final Curator curator;
    private final Jdk jdk = new Jdk(false);

    CuratorBehind(String servers) {
        curator = new Curator(servers);
    }

    @Override
    public Claim exclusive(String name) {
        Claim first = jdk.exclusive(name);
        Claim second = curator.exclusive(name);
        return new Claim() {

            @Override
            public Held take() throws Exception {
                Held outer = first.take();
                try {
                    return both(outer, second.take());
                } catch (Exception e) {
                    outer.close();
                    throw e;
                }
            }

            @Override
            public Optional<Held> tryTake() {
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
