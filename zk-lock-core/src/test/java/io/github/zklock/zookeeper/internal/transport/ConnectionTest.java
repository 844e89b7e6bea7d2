package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.transport.Connection.Attempt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ConnectionTest {

    private static final Attempt FIRST = new Attempt(100, OptionalLong.empty(), true);
    private static final Attempt SECOND = new Attempt(200, OptionalLong.empty(), false);

    private final Connection connection = new Connection(1, 20, 20, FIRST, OptionalLong.of(100));

    @Test
    void nextAttemptHasAnotherNumberAndKeepsTheShortestTimeout() {
        Connection next = connection.next(SECOND);

        assertThat(next).isEqualTo(new Connection(2, 20, 20, SECOND, OptionalLong.of(100)));
        assertThat(next.attemptedAfterNanos()).hasValue(200);
    }

    @Test
    void shorterTimeoutCountsFromTheAttemptOfItsConnection() {
        // M27
        Connection shorter = connection.next(SECOND).granted(10, OptionalLong.of(200));

        assertThat(shorter).isEqualTo(new Connection(2, 10, 10, SECOND, OptionalLong.of(200)));
    }

    @Test
    void longerTimeoutIsTheLatestOneOnly() {
        Connection longer = connection.next(SECOND).granted(30, OptionalLong.of(200));

        assertThat(longer).isEqualTo(new Connection(2, 20, 30, SECOND, OptionalLong.of(100)));
    }

    @Test
    void attemptNeedNotBeKnown() {
        Connection unknown = new Connection(1, 20, 20, null, OptionalLong.empty());

        assertThat(unknown.attemptedAfterNanos()).isEmpty();
    }
}
