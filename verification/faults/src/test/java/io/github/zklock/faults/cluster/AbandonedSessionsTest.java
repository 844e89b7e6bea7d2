package io.github.zklock.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.LocalZooKeeper;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AbandonedSessionsTest {

    @Test
    void bucketIsTheNextMultipleOfATick() {
        assertThat(AbandonedSessions.bucketAt(1_000)).isEqualTo(1_200);
        assertThat(AbandonedSessions.bucketAt(1_199)).isEqualTo(1_200);
        assertThat(AbandonedSessions.bucketAt(1_200)).isEqualTo(1_400);
    }

    @Test
    void serverOpensEachSession() throws Exception {
        try (LocalZooKeeper server = new LocalZooKeeper()) {
            long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
            AbandonedSessions sessions = new AbandonedSessions(server.connectString());

            assertThat(sessions.open(50, now + 3_600_000, now + 600_000)).isEqualTo(50);
        }
    }

    @Test
    void deadlineEndsTheOpening() throws Exception {
        AbandonedSessions sessions = new AbandonedSessions("127.0.0.1:1");

        assertThat(sessions.open(50, 0, 0)).isZero();
    }
}
