package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.SessionProof.Proves;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The bound of a session's life, with T = 1200 so that T/4 = 300, T/12 = 100 and a proof lasts 1100. */
class SessionProofTest {

    private static final long T = 1200;
    private static final long LASTS = T - T / 12;

    @Test
    void nothingIsProvenAtFirst() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), 1010);

        assertThat(proof.isValid(1010)).isFalse();
        assertThat(proof.remainingNanos(1010)).isZero();
    }

    @Test
    void aFirstGrantRestsOnTheCreationOfTheSessionOnceAWriteCommits() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), 1010);

        proof.answered(1020, 1030, Proves.COMMIT);

        assertThat(proof.remainingNanos(1030)).isEqualTo(1000 + LASTS - 1030);
    }

    @Test
    void aCommitProlongsOnlyUpToRequestsAnsweredAQuarterEarlier() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(100, 110, Proves.NOTHING);
        proof.answered(200, 210, Proves.NOTHING);

        proof.answered(410, 420, Proves.COMMIT);
        proof.answered(430, 440, Proves.LEADER);

        // the request sent at 200 was answered at 210, less than 300 before the write
        assertThat(proof.remainingNanos(440)).isEqualTo(100 + LASTS - 440);
    }

    @Test
    void renewalsAreCountedThatProveMore() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), 1010);
        assertThat(proof.renewals()).isZero();

        proof.answered(1020, 1030, Proves.COMMIT);
        assertThat(proof.renewals()).isEqualTo(1);

        // of the making of the session again, and of nothing later
        proof.answered(1040, 1050, Proves.COMMIT);
        assertThat(proof.renewals()).isEqualTo(1);
    }

    @Test
    void aCommitAloneProvesNothingOfRequestsOnItsOwnConnection() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(100, 110, Proves.NOTHING);

        proof.answered(500, 510, Proves.COMMIT);

        assertThat(proof.isValid(510)).isFalse();
    }

    @Test
    void aRequestThatTheLeaderAnswersAfterTheCommitCompletesTheProof() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(100, 110, Proves.NOTHING);
        proof.answered(500, 510, Proves.COMMIT);

        proof.answered(520, 530, Proves.LEADER);

        assertThat(proof.remainingNanos(530)).isEqualTo(100 + LASTS - 530);
    }

    @Test
    void aCommitAfterARequestThatTheLeaderAnsweredCompletesTheProof() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(100, 110, Proves.NOTHING);
        proof.answered(500, 510, Proves.LEADER);

        proof.answered(520, 530, Proves.COMMIT);

        assertThat(proof.remainingNanos(530)).isEqualTo(100 + LASTS - 530);
    }

    @Test
    void aLeadersAnswersWithoutACommitProveNothing() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);

        for (long now = 10; now < 5 * T; now += 10) {
            proof.answered(now, now + 5, Proves.LEADER);
        }

        assertThat(proof.isValid(5 * T)).isFalse();
    }

    @Test
    void aLeadersAnswerToARequestSentBeforeTheCommitWasSeenProvesNothing() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(100, 110, Proves.NOTHING);
        proof.answered(500, 510, Proves.COMMIT);

        proof.answered(509, 530, Proves.LEADER);

        assertThat(proof.isValid(530)).isFalse();
    }

    @Test
    void readsAloneNeverProveAnything() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(0), 0);

        for (long now = 10; now < 5 * T; now += 10) {
            proof.answered(now, now + 5, Proves.NOTHING);
        }

        assertThat(proof.isValid(5 * T)).isFalse();
    }

    @Test
    void afterAReconnectAWriteProvesWhatWasAnsweredBeforeIt() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(700, 710, Proves.NOTHING);

        proof.disconnected(750);
        proof.answered(760, 770, Proves.COMMIT);

        assertThat(proof.remainingNanos(770)).isEqualTo(700 + LASTS - 770);
    }

    @Test
    void aWriteSentBeforeTheReconnectProvesNothingOfTheNewConnection() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), 0);
        proof.answered(700, 710, Proves.NOTHING);

        proof.disconnected(750);
        proof.answered(740, 770, Proves.COMMIT);

        assertThat(proof.isValid(770)).isFalse();
    }

    @Test
    void aProofOnceGivenSurvivesAnythingLater() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), 1010);
        proof.answered(1020, 1030, Proves.COMMIT);

        proof.disconnected(1040);

        assertThat(proof.isValid(1000 + LASTS - 1)).isTrue();
        assertThat(proof.isValid(1000 + LASTS)).isFalse();
    }

    @Test
    void distrustEndsTheProofAndForgetsWhatWasSentBefore() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), 1010);
        proof.answered(1020, 1030, Proves.COMMIT);

        proof.distrust(1040);
        proof.answered(1035, 1050, Proves.NOTHING);
        proof.answered(1400, 1410, Proves.COMMIT);

        assertThat(proof.isValid(1410)).isFalse();
    }

    @Test
    void distrustLastsUntilTheNextProof() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), 1010);
        proof.distrust(1040);
        proof.answered(1050, 1060, Proves.NOTHING);

        proof.answered(1370, 1380, Proves.COMMIT);
        proof.answered(1390, 1400, Proves.LEADER);

        assertThat(proof.remainingNanos(1400)).isEqualTo(1050 + LASTS - 1400);
    }

    @Test
    void theMonotonicClockMayWrapAround() {
        long start = Long.MAX_VALUE - 10;
        SessionProof proof = new SessionProof(T, OptionalLong.of(start), start + 1);

        proof.answered(start + 2, start + 20, Proves.COMMIT);

        assertThat(proof.isValid(start + 21)).isTrue();
        assertThat(proof.isValid(start + LASTS)).isFalse();
    }
}
