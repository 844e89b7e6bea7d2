package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Under {@code STRICT}, the requests of a process keep their order through outages. */
class StrictOrderTest {

    private static final String NAME = "/ordered";

    @RegisterExtension
    final RealServer real = new RealServer();

    private final TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
    private final ZooKeeperLockRegistry holder = registry(real.itself().connectString());
    private final ZooKeeperLockRegistry waiting = registry(proxy.connectString());
    private final List<String> grants = Collections.synchronizedList(new ArrayList<>());
    private final List<CompletableFuture<Void>> turns = new ArrayList<>();
    private LockHandle held;

    private ZooKeeperLockRegistry registry(String connectString) {
        return real.open(RealServer.builder()
                .connectString(connectString)
                .sessionTimeout(Duration.ofSeconds(10))
                .handOff(HandOff.strict())
                .build());
    }

    @BeforeEach
    void hold() throws InterruptedException {
        waiting.lock(NAME).acquire().close();
        held = holder.lock(NAME).acquire();
    }

    @Test
    void whoAsksDuringAnOutageIsBehindThoseWhoseSessionEndsInIt() {
        request("first");
        request("second");
        real.awaitSeats(3);
        long session = Long.parseUnsignedLong(waiting.inspector().session().id(), 16);
        proxy.refuse();
        awaitDisconnected();
        request("third");
        real.itself().expire(session);

        proxy.heal();

        assertServedInOrder();
    }

    @Test
    void whoAsksDuringAnOutageIsBehindTheOneWhoseCreateWasLostWithTheConnection() {
        proxy.intercept(message -> {
            if (message.direction() == TcpProxy.Direction.REQUEST && message.operation() == OpCode.create2) {
                proxy.refuse();
                return TcpProxy.Fate.CUT_BEFORE;
            }
            return TcpProxy.Fate.PASS;
        });
        request("first");
        awaitDisconnected();
        request("second");
        request("third");

        proxy.heal();

        assertServedInOrder();
    }

    @Test
    void aReleaseDoesNotWaitForAnAnswerThatDoesNotArrive() throws InterruptedException {
        held.close();
        LockHandle own = waiting.lock(NAME).acquire();
        CompletableFuture<LockHandle> other = holder.lock(NAME).acquireAsync();
        real.awaitSeats(2);
        proxy.pause(TcpProxy.Direction.REPLY);
        CompletableFuture<LockHandle> unanswered = waiting.lock(NAME).acquireAsync();
        real.awaitSeats(3);

        own.close();

        Actor.join(other).close();
        assertThat(waiting.inspector().session().connected())
                .as("the end of the connection passes the lock on as well")
                .isTrue();
        proxy.heal();
        Actor.join(unanswered).close();
    }

    private void request(String who) {
        turns.add(waiting.lock(NAME).acquireAsync().thenAccept(handle -> {
            grants.add(who);
            handle.close();
        }));
    }

    private void awaitDisconnected() {
        RealServer.awaitUntil(() -> !waiting.inspector().session().connected());
    }

    private void assertServedInOrder() {
        real.awaitSeats(1 + turns.size());
        held.close();
        turns.forEach(Actor::join);
        assertThat(grants).containsExactly("first", "second", "third");
    }
}
