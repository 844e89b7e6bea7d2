package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tries on a lock that lingers in a process in trouble. (L30) */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class LingeringTryTest {

    private static final String NAME = "/lingers";

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void tryFailsWhileTheProcessThatLingersIsCutOff() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        ZooKeeperLockRegistry lingering = lingering(proxy.connectString());
        linger(lingering);
        ZooKeeperLockRegistry other = registry();
        proxy.pause(TcpProxy.Direction.REPLY);

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> other.lock(NAME).acquire(Duration.ZERO))
                .withMessageContaining("'" + NAME + "' not acquired at once")
                .withMessageContaining("did not leave within 1 s");

        real.awaitSeats(1);
        proxy.heal();
    }

    @Test
    void tryThatGaveUpLeavesTheLockToTheNext() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        linger(lingering(proxy.connectString()));
        ZooKeeperLockRegistry other = registry();
        proxy.pause(TcpProxy.Direction.REPLY);
        assertThat(other.lock(NAME).tryAcquire()).isEmpty();

        proxy.heal();

        // the node of the try was an event, which the process that lingers receives now
        real.awaitSeats(0);
        Optional<LockHandle> taken = other.lock(NAME).tryAcquire();
        assertThat(taken).isPresent();
        RealServer.giveBack(taken.orElseThrow());
    }

    @Test
    void waiterOfTheSameProcessIsServedWhenATryBeforeItFails() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        linger(lingering(proxy.connectString()));
        ZooKeeperLockRegistry other = registry();
        proxy.pause(TcpProxy.Direction.REPLY);
        CompletableFuture<LockHandle> attempt = other.lock(NAME).acquireAsync(Duration.ZERO);
        CompletableFuture<LockHandle> wait = other.lock(NAME).acquireAsync();
        RealServer.awaitUntil(attempt::isDone);
        assertThat(attempt).isCompletedExceptionally();

        proxy.heal();

        RealServer.giveBack(Actor.join(wait));
    }

    private void linger(ZooKeeperLockRegistry lingering) throws Exception {
        lingering.lock(NAME).acquire().close();
        RealServer.awaitUntil(() -> real.itself().watches() == 1);
    }

    private ZooKeeperLockRegistry registry() throws Exception {
        ZooKeeperLockRegistry registry = real.open(RealServer.builder()
                .connectString(real.itself().connectString())
                .sessionTimeout(Duration.ofMinutes(10))
                .build());
        RealServer.giveBack(registry.lock("/warm").acquire());
        return registry;
    }

    private ZooKeeperLockRegistry lingering(String connectString) {
        return real.open(RealServer.builder()
                .connectString(connectString)
                .sessionTimeout(Duration.ofMinutes(10))
                .handOff(HandOff.bounded(32, Duration.ofMinutes(10)).lingering(Duration.ofMinutes(10)))
                .build());
    }
}
