package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a round of checks sends, and what it does with each answer. The test answers for the servers. (L22) */
class RenewalTest {

    private static final String BASE = "/locks";
    private static final String SYNC = "sync " + BASE;
    /** Two nodes with paths of this length and their overhead do not fit into one chunk of 64 KiB. */
    private static final int MORE_THAN_HALF_A_CHUNK = 33 * 1024;

    private final RecordedSession servers = new RecordedSession();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final Renewal renewal = new Renewal(session, BASE);

    @Test
    void sessionWithoutSeatsIsNotRenewed() {
        assertThat(renewal.run()).isFalse();

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void seatWithoutANodeIsNotChecked() {
        add(null);

        assertThat(renewal.run()).isFalse();

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void allSeatsAreCheckedInOneTransactionAndASyncFollows() {
        add("/a");
        add("/b");

        assertThat(renewal.run()).isTrue();
        assertThat(servers.sent()).containsExactly("Check /a, Check /b");

        servers.answer("Check", Outcome.OK, Transacted.created(List.of()));
        assertThat(servers.sent()).containsExactly(SYNC);
    }

    @Test
    void nextRoundBeginsWhenThePresentOneHasEnded() {
        add("/a");
        renewal.run();
        servers.sent();

        assertThat(renewal.run()).isTrue();
        assertThat(servers.sent()).isEmpty();

        servers.answer("Check", Outcome.CONNECTION_LOST, null);
        assertThat(servers.sent()).as("nothing has committed").isEmpty();
        renewal.run();
        assertThat(servers.sent()).containsExactly("Check /a");
    }

    @Test
    void deletedSeatIsReportedAndTheOthersAreCheckedAgain() {
        Seat first = add("/a");
        Seat second = add("/b");
        Seat third = add("/c");
        renewal.run();
        servers.sent();

        servers.answer("Check", Outcome.NO_NODE, Transacted.failed(1));

        assertThat(second.vanished).isEqualTo(1);
        assertThat(first.vanished).isZero();
        assertThat(third.vanished).isZero();
        assertThat(servers.sent()).containsExactly("Check /a, Check /c");
        servers.answer("Check", Outcome.OK, Transacted.created(List.of()));
        assertThat(servers.sent()).containsExactly(SYNC);
    }

    @Test
    void roundEndsWithoutASyncIfTheOnlySeatWasDeleted() {
        add("/a");
        renewal.run();
        servers.sent();

        servers.answer("Check", Outcome.NO_NODE, Transacted.failed(0));

        assertThat(servers.sent()).isEmpty();
        renewal.run();
        assertThat(servers.sent()).as("the next round").containsExactly("Check /a");
    }

    @Test
    void seatWhoseReportFailsDoesNotKeepTheOthersFromBeingChecked() {
        Seat failing = add("/a");
        failing.failure = new IllegalStateException("planted");
        add("/b");
        renewal.run();
        servers.sent();

        try {
            servers.answer("Check", Outcome.NO_NODE, Transacted.failed(0));
        } catch (IllegalStateException planted) {
            assertThat(planted).isSameAs(failing.failure);
        }

        assertThat(servers.sent()).containsExactly("Check /b");
    }

    @Test
    void seatThatMayNotBeReadIsLoggedAndCountsAsPresent() {
        Seat hidden = add("/a");
        add("/b");
        try (CapturedLog log = new CapturedLog(Renewal.class)) {
            renewal.run();
            servers.sent();
            servers.answer("Check", Outcome.ACCESS_DENIED, Transacted.failed(0));

            log.await("WARN Seat id of /a cannot be checked (ACCESS_DENIED)");
        }
        assertThat(hidden.vanished).isZero();
        assertThat(servers.sent()).containsExactly("Check /b");
    }

    @Test
    void seatsThatDoNotFitIntoOneTransactionAreCheckedInChunksBeforeTheSync() {
        String one = "/1" + "x".repeat(MORE_THAN_HALF_A_CHUNK);
        String other = "/2" + "x".repeat(MORE_THAN_HALF_A_CHUNK);
        add(one);
        add(other);
        add("/short");

        renewal.run();

        assertThat(servers.sent()).containsExactly("Check " + one, "Check " + other + ", Check /short");
        servers.answer("Check " + one, Outcome.OK, Transacted.created(List.of()));
        assertThat(servers.sent()).isEmpty();
        servers.answer("Check " + other, Outcome.OK, Transacted.created(List.of()));
        assertThat(servers.sent()).containsExactly(SYNC);
    }

    @Test
    void chunkHasAtMost64KibibytesWithTheOverheadOfEachCheck() {
        // 1024 nodes with a path of 32 characters and an overhead of 32 bytes are 64 KiB
        for (int i = 0; i < 2049; i++) {
            add("/%031d".formatted(i));
        }

        renewal.run();

        List<String> sent = servers.sent();
        assertThat(sent).hasSize(3);
        assertThat(sent.get(0).split(", ")).hasSize(1024);
        assertThat(sent.get(1).split(", ")).hasSize(1024);
        assertThat(sent.get(2)).isEqualTo("Check /%031d".formatted(2048));
    }

    @Test
    void pathThatIsLongerThanAChunkIsCheckedAlone() {
        String path = "/" + "x".repeat(70 * 1024);
        add(path);

        renewal.run();

        assertThat(servers.sent()).containsExactly("Check " + path);
    }

    @Test
    void seatThatHasLeftWhileItsChunkWasCheckedIsNotCheckedAgain() {
        add("/a");
        Seat leaving = add("/b");
        renewal.run();
        servers.sent();

        leaving.path = null;
        servers.answer("Check", Outcome.NO_NODE, Transacted.failed(0));

        assertThat(servers.sent()).isEmpty();
        assertThat(leaving.vanished).isZero();
    }

    private Seat add(@Nullable String path) {
        Seat seat = new Seat(path);
        session.add(seat);
        return seat;
    }

    private static final class Seat implements SessionNode {

        private final String id;
        private int vanished;
        private @Nullable String path;
        private @Nullable RuntimeException failure;

        Seat(@Nullable String path) {
            this.id = "id of " + path;
            this.path = path;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public @Nullable String path() {
            return path;
        }

        @Override
        public void vanished() {
            if (failure != null) {
                throw failure;
            }
            vanished++;
        }

        @Override
        public void sessionEnded(String reason) {
            throw new AssertionError("The session goes on");
        }
    }
}
