package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.HandOff;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.internal.Words;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a caller is told whose wait was too short for the servers' answer, while they can be reached. (L31) */
class TooShortWaitTest {

    private static final Duration WAIT = Duration.ofMillis(10);

    @RegisterExtension
    final RealServer real = new RealServer();

    private TcpProxy proxy;
    private ZooKeeperLockRegistry registry;

    @BeforeEach
    void connect() throws Exception {
        proxy = real.open(new TcpProxy(real.itself().connectString()));
        registry = real.open(RealServer.builder()
                .connectString(proxy.connectString())
                .sessionTimeout(Duration.ofMinutes(10))
                .connectionTimeout(WAIT)
                .handOff(HandOff.strict())
                .build());
        RealServer.giveBack(registry.lock("/warm").acquire());
    }

    @Test
    void waitThatEndsBeforeTheSeatIsCreatedSaysSo() {
        proxy.pause(TcpProxy.Direction.REPLY);

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> registry.lock("/slow").acquire(WAIT))
                .withMessageContaining("Lock '/slow' not acquired: ZooKeeper is connected")
                .withMessageContaining("did not answer the request for a seat in its queue within " + Words.of(WAIT))
                .withMessageContaining("(measured ")
                .withMessageEndingWith("use a longer wait");
        proxy.heal();
    }

    @Test
    void tryThatEndsBeforeItsQuestionIsAnsweredSaysSo() {
        proxy.pause(TcpProxy.Direction.REPLY);

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> registry.lock("/slow").tryAcquire())
                .withMessageContaining("did not answer the request whether it is free within " + Words.of(WAIT));
        proxy.heal();
    }
}
