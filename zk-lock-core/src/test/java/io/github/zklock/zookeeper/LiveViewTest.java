package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.OnClose;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Direction;
import io.github.zklock.fixture.TcpProxy.Fate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** A writer that becomes a reader deletes its node: between the watch and the listing, only that event is believed. (M23) */
    @Test
    void aWriterIsNotGrantedBesideAReaderWhileTheWatchIsNew() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        ClusterReadWriteLock first = real.registry().readWriteLock(NAME);
        ZooKeeperLockRegistry waiting = strictBehind(proxy);
        RealServer.giveBack(waiting.lock("/warm").acquire());
        ClusterReadWriteLock second = waiting.readWriteLock(NAME);
        Actor downgrading = real.actor("downgrading");
        downgrading.act(first.writeLock()::lock);
        CompletableFuture<LockHandle> writer = second.writeLock().acquireAsync();
        real.awaitSeats(2);
        RealServer.awaitUntil(() -> real.itself().watches() >= 1);
        CountDownLatch go = holdAllBehindTheNextWatchOfAFolder(proxy);
        // two seats of one process: it watches the folder
        CompletableFuture<LockHandle> another = second.writeLock().acquireAsync();
        real.awaitSeats(3);

        LockHandle reader = downgrading.run(first.readLock()::acquire);
        downgrading.act(first.writeLock()::unlock);
        RealServer.awaitUntil(
                () -> Leftovers.seats(real.itself()).stream().anyMatch(seat -> seat.contains("__READ__")));
        Thread.sleep(SHORT.toMillis());
        // has the queue look at its view
        CompletableFuture<LockHandle> third = second.writeLock().acquireAsync();
        Thread.sleep(SHORT.toMillis());

        assertThat(reader.isHeld()).isTrue();
        assertThat(writer).isNotDone();
        go.countDown();
        proxy.heal();
        downgrading.act(reader::close);
        for (CompletableFuture<LockHandle> each : List.of(writer, another, third)) {
            RealServer.giveBack(Actor.join(each));
        }
    }

    @Test
    void registriesOnOneClientDoNotEndEachOthersWatches() throws Exception {
        CuratorFramework client = real.open(ZooKeeperLockRegistry.clientBuilder()
                .connectString(real.itself().connectString())
                .sessionTimeoutMs((int) LONG_SESSION.toMillis())
                .retryPolicy(new RetryOneTime(100))
                .build());
        client.start();
        ZooKeeperLockRegistry one = strictOn(client);
        ZooKeeperLockRegistry two = strictOn(client);
        RealServer.giveBack(one.lock("/warm").acquire());
        LockHandle held = real.registry().lock(NAME).acquire();
        CompletableFuture<LockHandle> first = one.lock(NAME).acquireAsync();
        CompletableFuture<LockHandle> second = one.lock(NAME).acquireAsync();
        real.awaitSeats(3);
        List<CompletableFuture<LockHandle>> given =
                List.of(two.lock(NAME).acquireAsync(), two.lock(NAME).acquireAsync());
        real.awaitSeats(5);
        Thread.sleep(SHORT.toMillis());

        given.forEach(each -> each.cancel(false));
        real.awaitSeats(3);
        Thread.sleep(SHORT.toMillis());
        held.close();

        RealServer.giveBack(first.get(60, TimeUnit.SECONDS));
        RealServer.giveBack(second.get(60, TimeUnit.SECONDS));
        RealServer.awaitUntil(() -> real.itself().watches() == 0);
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

    private ZooKeeperLockRegistry strictOn(CuratorFramework client) {
        return real.open(ZooKeeperLockRegistry.builder()
                .client(client)
                .handOff(HandOff.strict())
                .onClose(OnClose.RELEASE_HELD)
                .build());
    }

    private static CountDownLatch holdAllBehindTheNextWatchOfAFolder(TcpProxy proxy) {
        AtomicBoolean watched = new AtomicBoolean();
        CountDownLatch go = new CountDownLatch(1);
        proxy.intercept(message -> {
            if (message.direction() == Direction.REQUEST) {
                if (message.operation() == OpCode.addWatch) {
                    watched.set(true);
                } else if (watched.get()) {
                    awaitThat(go);
                }
            }
            return Fate.PASS;
        });
        return go;
    }

    private static void awaitThat(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
