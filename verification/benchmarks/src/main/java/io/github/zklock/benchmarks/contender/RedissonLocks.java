package io.github.zklock.benchmarks.contender;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** Redisson on a single Redis server: a lease that expires by a clock, on a server without replicas. */
final class RedissonLocks implements Contender {

    private final RedissonClient client;

    /** @param server as host:port */
    RedissonLocks(String server) {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer().setAddress("redis://" + server);
        client = Redisson.create(config);
    }

    @Override
    public LockAdapter exclusive(String name) {
        return LockAdapter.of(client.getLock("lock-" + name));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
