package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CuratorWireTest {

    @RegisterExtension
    final RealServer real = new RealServer();

    private final List<Runnable> searches = new ArrayList<>();

    @Test
    void aWireThatWasClosedWhileItLookedForASessionIsForgottenByTheClient() throws Exception {
        CuratorFramework shared =
                real.start(ZooKeeperLockRegistry.clientBuilder(), real.itself().connectString());
        assertThat(shared.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
        AtomicInteger toldToOpen = new AtomicInteger();
        AtomicInteger toldToClosed = new AtomicInteger();
        CuratorWire open = searching(shared, toldToOpen);
        searching(shared, toldToClosed).close();
        searches.forEach(Runnable::run);
        ZooKeeper handle = shared.getZookeeperClient().getZooKeeper();
        int toldBefore = toldToOpen.get();

        handle.close();

        assertThat(handle).isInstanceOf(ObservedZooKeeper.class);
        assertThat(toldToOpen.get()).isGreaterThan(toldBefore);
        assertThat(toldToClosed).hasValue(0);
        open.close();
    }

    private CuratorWire searching(CuratorFramework client, AtomicInteger hints) {
        CuratorWire wire = new CuratorWire(client, false, "/locks", null, new EngineRun(Runnable::run), searches::add);
        wire.onHint(hints::incrementAndGet);
        wire.pin(pin -> {});
        return wire;
    }
}
