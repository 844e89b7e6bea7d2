package io.github.zklock.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.test.EmbeddedZooKeeper;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

class CountingProxyTest {

    @Test
    void countsRequestsAndEventsOfAClient() throws Exception {
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper();
                CountingProxy proxy = new CountingProxy(port(server), Duration.ZERO);
                CuratorFramework client = CuratorFrameworkFactory.builder()
                        .connectString(proxy.address())
                        .retryPolicy(new RetryOneTime(100))
                        // the proxy would count its requests
                        .ensembleTracker(false)
                        .build()) {
            client.start();
            client.blockUntilConnected();
            client.create().forPath("/seen");
            Traffic before = proxy.traffic();

            client.checkExists()
                    .usingWatcher((org.apache.zookeeper.Watcher) event -> {})
                    .forPath("/seen");
            client.delete().forPath("/seen");
            client.checkExists().forPath("/seen");

            Traffic traffic = proxy.traffic().since(before);
            assertThat(traffic.requests()).isEqualTo(3);
            assertThat(traffic.events()).isEqualTo(1);
            assertThat(traffic.bytes()).isPositive();
        }
    }

    @Test
    void delaysBothDirections() throws Exception {
        Duration delay = Duration.ofMillis(40);
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper();
                CountingProxy proxy = new CountingProxy(port(server), delay);
                CuratorFramework client = CuratorFrameworkFactory.newClient(proxy.address(), new RetryOneTime(100))) {
            client.start();
            client.blockUntilConnected();

            long start = System.nanoTime();
            client.checkExists().forPath("/");

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(delay.multipliedBy(2));
        }
    }

    private static int port(EmbeddedZooKeeper server) {
        String address = server.connectString();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
