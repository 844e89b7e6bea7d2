package io.github.zklock.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCounterTest {

    private static final int EVENT = -1;
    private static final int PING = -2;

    private final LongAdder requests = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final FrameCounter count = new FrameCounter(requests, events, bytes);

    @Test
    void countsMessagesAfterTheConnectRequest() {
        feed(bytes(message(0, 40), message(1, 30), message(2, 20), message(EVENT, 50)), 1_000);

        assertThat(requests.sum()).isEqualTo(2);
        assertThat(events.sum()).isEqualTo(1);
        assertThat(bytes.sum()).isEqualTo(34 + 24 + 54);
    }

    @Test
    void doesNotCountPingsAsRequests() {
        feed(bytes(message(0, 40), message(PING, 8), message(1, 30)), 1_000);

        assertThat(requests.sum()).isEqualTo(1);
        assertThat(bytes.sum()).isEqualTo(34);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 11, 64})
    void countsWhateverThePiecesAre(int atOnce) {
        feed(bytes(message(0, 44), message(1, 4), message(EVENT, 100), message(2, 8)), atOnce);

        assertThat(requests.sum()).isEqualTo(2);
        assertThat(events.sum()).isEqualTo(1);
        assertThat(bytes.sum()).isEqualTo(8 + 104 + 12);
    }

    private void feed(byte[] all, int atOnce) {
        for (int from = 0; from < all.length; from += atOnce) {
            byte[] piece = Arrays.copyOfRange(all, from, Math.min(from + atOnce, all.length));
            count.accept(piece, piece.length);
        }
    }

    private static byte[] bytes(ByteBuffer... messages) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(messages).mapToInt(ByteBuffer::capacity).sum());
        Arrays.stream(messages).forEach(all::put);
        return all.array();
    }

    private static ByteBuffer message(int xid, int length) {
        return ByteBuffer.allocate(Integer.BYTES + length)
                .putInt(length)
                .putInt(xid)
                .rewind();
    }
}
