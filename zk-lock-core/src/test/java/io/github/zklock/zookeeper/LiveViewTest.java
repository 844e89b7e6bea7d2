package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Direction;
import io.github.zklock.fixture.TcpProxy.Fate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that watch the folder of a lock as a whole, on a real server. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class LiveViewTest {

    private static final String NAME = "/live";
    /** So long that no listing that is due by then helps. */
    private static final Duration LONG_SESSION = Duration.ofMinutes(10);

    private static final Duration SHORT = Duration.ofMillis(300);

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void registriesOnOneClientDoNotEndEachOthersWatches() throws Exception {
        CuratorFramework client = real.open(ZooKeeperLockRegistry.clientBuilder()
                .connectString(real.itself().connectString())
                .sessionTimeoutMs((int) LONG_SESSION.toMillis())
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        ZooKeeperLockRegistry one = lingeringOn(client);
        ZooKeeperLockRegistry two = lingeringOn(client);
        one.readWriteLock(NAME).readLock().acquire().close();
        two.readWriteLock(NAME).readLock().acquire().close();
        RealServer.awaitUntil(() -> real.itself().watches() == 1);
        real.awaitSeats(2);

        two.close();
        real.awaitSeats(1);

        // the watch of the first registry reports the writer, and the registry releases its idle seat
        RealServer.giveBack(
                real.registry().readWriteLock(NAME).writeLock().acquireAsync().get(60, TimeUnit.SECONDS));
        RealServer.awaitUntil(() -> real.itself().watches() == 0);
    }

    /** The listing that was asked for behind the first create of the second seat does not tell where its second node stands. */
    @Test
    void strictSeatWhoseCreateWasLostIsPlacedAlthoughItsListingWasAnswered() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        ZooKeeperLockRegistry registry = strictBehind(proxy);
        RealServer.giveBack(registry.lock(NAME).acquire());
        real.awaitSeats(0);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch granted = new CountDownLatch(1);
        AtomicInteger creates = new AtomicInteger();
        AtomicInteger cuts = new AtomicInteger();
        proxy.intercept(message -> {
            boolean create = message.operation() == OpCode.create2 || message.operation() == OpCode.create;
            if (message.direction() == Direction.REPLY && create) {
                awaitThat(asked);
            } else if (message.direction() == Direction.REQUEST && create && creates.incrementAndGet() == 2) {
                awaitThat(granted);
                cuts.incrementAndGet();
                return Fate.CUT_BEFORE;
            }
            return Fate.PASS;
        });
        CompletableFuture<LockHandle> one = registry.lock(NAME).acquireAsync();
        CompletableFuture<LockHandle> two = registry.lock(NAME).acquireAsync();
        asked.countDown();
        LockHandle first = one.get(60, TimeUnit.SECONDS);
        granted.countDown();
        RealServer.awaitUntil(() -> cuts.get() == 1);
        real.awaitSeats(2);
        RealServer.awaitAnswers(registry);

        first.close();

        RealServer.giveBack(two.get(60, TimeUnit.SECONDS));
    }

    private static void awaitThat(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Other things may be under way meanwhile. */
    @Test
    void aTryBehindOnesOwnReleaseFindsTheLockFree() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        ZooKeeperLockRegistry registry = strictBehind(proxy);
        LockHandle own = registry.lock(NAME).acquire();
        proxy.pause(Direction.REPLY);
        List<CompletableFuture<LockHandle>> others =
                List.of(async(registry, 1), async(registry, 2), async(registry, 3), async(registry, 4));

        own.close();
        CompletableFuture<LockHandle> again = registry.lock(NAME).acquireAsync(Duration.ZERO);
        Thread.sleep(SHORT.toMillis());
        proxy.heal();

        RealServer.giveBack(again.get(60, TimeUnit.SECONDS));
        for (CompletableFuture<LockHandle> other : others) {
            RealServer.giveBack(other.get(60, TimeUnit.SECONDS));
        }
    }

    private static CompletableFuture<LockHandle> async(ZooKeeperLockRegistry registry, int number) {
        return registry.lock("/other" + number).acquireAsync();
    }

    private ZooKeeperLockRegistry strictBehind(TcpProxy proxy) {
        return real.open(RealServer.builder()
                .connectString(proxy.connectString())
                .sessionTimeout(LONG_SESSION)
                .handOff(HandOff.strict())
                .build());
    }

    private ZooKeeperLockRegistry lingeringOn(CuratorFramework client) {
        return real.open(ZooKeeperLockRegistry.builder()
                .client(client)
                .handOff(HandOff.bounded(32, LONG_SESSION).lingering(LONG_SESSION))
                .onClose(OnClose.RELEASE_HELD)
                .build());
    }
}
