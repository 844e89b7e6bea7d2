package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterJob;
import io.github.zklock.LockHandle;
import io.github.zklock.OncePer;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.data.Stat;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures a job that is not due, which is what most calls of a scheduled job find. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OncePerBenchmark {

    private static final byte[] NOTHING = {};

    private final EmbeddedZooKeeper server = new EmbeddedZooKeeper();
    private final CuratorFramework client = ZooKeeperLockRegistry.clientBuilder()
            .connectString(server.connectString())
            .retryPolicy(new RetryOneTime(100))
            .build();
    private final ZooKeeperLockRegistry locks;
    private final ClusterJob job;

    /** Connects. */
    public OncePerBenchmark() {
        client.start();
        locks = ZooKeeperLockRegistry.builder().client(client).build();
        job = locks.job("/nightly", OncePer.of(Duration.ofDays(1)));
    }

    /** Runs the job once. */
    @Setup
    public void start() throws Exception {
        job.begin().close();
        client.create().forPath("/written");
    }

    /** Stops the server. */
    @TearDown
    public void stop() {
        locks.close();
        client.close();
        server.close();
    }

    /** The measured call: a write and a read in one round trip. */
    @Benchmark
    public Optional<LockHandle> skip() throws InterruptedException {
        return job.tryBegin();
    }

    /** One write of the same client. */
    @Benchmark
    public Stat write() throws Exception {
        return client.setData().forPath("/written", NOTHING);
    }
}
