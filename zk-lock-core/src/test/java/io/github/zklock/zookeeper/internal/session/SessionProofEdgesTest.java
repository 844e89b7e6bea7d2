package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.session.SessionProof.Proves;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers that overtake each other, belong to an earlier connection, or arrive when the clocks have drifted apart. T =
 * 1200 so that T/3 = 400, T/5 = 240, T/12 = 100 and a proof lasts 1100.
 */
class SessionProofEdgesTest {

    private static final long T = 1200;
    private static final long LASTS = T - T / 12;

    /** Of a session that was created after 1000, and lives until 1000 + LASTS. */
    private final SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1005);

    SessionProofEdgesTest() {
        proof.answered(1006, 1007, Proves.COMMIT);
    }

    // answers that overtake each other

    @ParameterizedTest
    @CsvSource({"COMMIT, LEADER", "LEADER, LEADER", "LEADER, COMMIT", "COMMIT, COMMIT"})
    void newestOfSeveralTouchesThatOneAnswerConfirmsCounts(Proves first, Proves second) {
        twoRequestsAreConfirmedFrom1540On();
        // 400 after the request at 1100 was confirmed, and after the one at 1130
        proof.answered(1540, 1550, first);
        proof.answered(1545, 1560, second);

        proof.answered(1560, 1580, Proves.COMMIT);

        assertThat(proof.remainingNanos(1580)).isEqualTo(1130 + LASTS - 1580);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEADER", "COMMIT"})
    void touchIsConfirmedByALaterAnswerThanTheNextOne(Proves witness) {
        twoRequestsAreConfirmedFrom1540On();
        proof.answered(1540, 1550, witness);
        proof.answered(1541, 1552, witness);

        proof.answered(1551, 1580, Proves.COMMIT);

        assertThat(proof.remainingNanos(1580)).isEqualTo(1100 + LASTS - 1580);
    }

    private void twoRequestsAreConfirmedFrom1540On() {
        proof.answered(1080, 1085, Proves.LEADER);
        proof.answered(1100, 1110, Proves.NOTHING);
        proof.answered(1130, 1140, Proves.NOTHING);
        proof.answered(1141, 1143, Proves.NOTHING);
        proof.answered(1290, 1295, Proves.LEADER);
        proof.answered(1500, 1505, Proves.LEADER);
    }

    @Test
    void lateAnswerToAnOlderRequestDoesNotReplaceTheNewestAnsweredRequest() {
        proof.answered(1700, 1710, Proves.NOTHING);
        proof.answered(1650, 1720, Proves.NOTHING);

        reconnect(OptionalLong.of(1690), 1750);
        proof.answered(1750, 1770, Proves.COMMIT);

        assertThat(proof.remainingNanos(1770)).isEqualTo(1700 + LASTS - 1770);
    }

    @Test
    void lateAnswerToAnOlderRequestIsNoStandstillOfTheLeader() {
        proof.answered(1075, 1080, Proves.LEADER);
        proof.answered(1100, 1102, Proves.NOTHING);
        proof.answered(1105, 1110, Proves.NOTHING);
        proof.answered(1300, 1305, Proves.LEADER);
        proof.answered(1500, 1505, Proves.LEADER);
        proof.answered(1290, 1510, Proves.LEADER);

        // 310 after the sending of the older request
        proof.answered(1590, 1600, Proves.COMMIT);
        proof.answered(1620, 1630, Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1100 + LASTS - 1630);
    }

    // connections

    @Test
    void answerToARequestFromBeforeTheConnectionWasNoticedDoesNotEstablishIt() {
        reconnect(OptionalLong.of(1900), 1910);

        proof.answered(1905, 1950, Proves.COMMIT);
        assertThat(proof.remainingNanos(1950)).isEqualTo(1000 + LASTS - 1950);

        proof.answered(1910, 1960, Proves.COMMIT);
        assertThat(proof.remainingNanos(1960)).isEqualTo(1900 + LASTS - 1960);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsOfAnEarlierConnectionAreNoDatesOnTheNextOne(boolean confirmed) {
        proof.answered(1100, 1110, Proves.NOTHING);
        if (confirmed) {
            proof.answered(1120, 1130, Proves.NOTHING);
        }
        reconnect(OptionalLong.empty(), 1160);

        proof.answered(1170, 1175, Proves.LEADER);
        proof.answered(1390, 1395, Proves.LEADER);
        proof.answered(1600, 1610, Proves.COMMIT);
        proof.answered(1620, 1630, Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1000 + LASTS - 1630);
    }

    @Test
    void nextConnectionForgetsTheRequestsOfThePresentOneAlthoughNoLossWasNoticed() {
        proof.answered(1100, 1110, Proves.NOTHING);
        proof.answered(1120, 1130, Proves.NOTHING);
        proof.connected(OptionalLong.empty(), T, OptionalLong.empty(), 1160);

        proof.answered(1170, 1175, Proves.LEADER);
        proof.answered(1390, 1395, Proves.LEADER);
        proof.answered(1600, 1610, Proves.COMMIT);
        proof.answered(1620, 1630, Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1000 + LASTS - 1630);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEADER", "COMMIT"})
    void touchThatWasNotConfirmedOnItsConnectionIsNotConfirmedAfterIt(Proves before) {
        witnessOfTheRequestAt1100(before);
        proof.disconnected();

        proof.answered(1620, 1630, before == Proves.LEADER ? Proves.COMMIT : Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1006 + LASTS - 1630);
    }

    @Test
    void answersBeforeTheFirstAnswerOfTheLeaderAreDatedByIt() {
        reconnect(OptionalLong.empty(), 1020);
        proof.answered(1030, 1032, Proves.NOTHING);
        proof.answered(1035, 1040, Proves.NOTHING);
        proof.answered(1200, 1205, Proves.LEADER);
        proof.answered(1400, 1405, Proves.LEADER);

        proof.answered(1500, 1510, Proves.COMMIT);
        proof.answered(1520, 1530, Proves.LEADER);
        assertThat(proof.remainingNanos(1530)).as("300 after 1205").isEqualTo(1000 + LASTS - 1530);

        proof.answered(1605, 1610, Proves.COMMIT);
        proof.answered(1620, 1630, Proves.LEADER);
        assertThat(proof.remainingNanos(1630)).as("400 after 1205").isEqualTo(1030 + LASTS - 1630);
    }

    @Test
    void shorterTimeoutDoesNotProlongTheProof() {
        proof.connected(OptionalLong.of(2050), 600, OptionalLong.of(2050), 2060);

        assertThat(proof.remainingNanos(2060)).isEqualTo(1000 + LASTS - 2060);
    }

    // sessions that a polled bucket may contain

    @Test
    void expiryOfALaterSessionShowsNothingOnTheNextConnection() {
        reconnect(OptionalLong.of(2300), 2320);
        proof.answered(2330, 2340, Proves.COMMIT);
        proof.laterSessionExpired(2340, 0, 2400);
        reconnect(OptionalLong.of(3500), 3510);

        // the proof has lapsed again
        proof.answered(3520, 3530, Proves.COMMIT);
        proof.answered(3540, 3550, Proves.COMMIT);

        assertThat(proof.isSuspect()).isTrue();
        assertThat(proof.isValid(3550)).isFalse();
    }

    @Test
    void expiryOfALaterSessionShowsNothingAfterTheNextLapseOnTheSameConnection() {
        reconnect(OptionalLong.of(2300), 2320);
        proof.answered(2330, 2340, Proves.COMMIT);
        proof.laterSessionExpired(2340, 0, 2345);
        // stopped for longer than the proof would have lasted
        dateRequestAt(4000);
        assertThat(proof.isSuspect()).isTrue();

        proof.answered(4530, 4540, Proves.COMMIT);

        assertThat(proof.isValid(4540)).isFalse();
        proof.laterSessionExpired(4519, 0, 4550);
        proof.answered(4560, 4570, Proves.COMMIT);
        assertThat(proof.isValid(4570))
                .as("created before the lapse was noticed")
                .isFalse();
        proof.laterSessionExpired(4520, 0, 4580);
        proof.answered(4579, 4590, Proves.COMMIT);
        assertThat(proof.isValid(4590)).as("sent before the expiry was seen").isFalse();
        proof.answered(4580, 4600, Proves.COMMIT);
        assertThat(proof.remainingNanos(4600)).isEqualTo(4000 + LASTS - 4600);
    }

    @Test
    void laterSessionCoversLapsesUntilItMayExpireLessTheMarginForClocks() {
        assertThat(isTrustedAfterExpiryOfSessionCreatedAt(2340 - 200, 299)).isFalse();
        assertThat(isTrustedAfterExpiryOfSessionCreatedAt(2340 - 200, 300)).isTrue();
        assertThat(isTrustedAfterExpiryOfSessionCreatedAt(2340, 0)).isTrue();
        assertThat(isTrustedAfterExpiryOfSessionCreatedAt(2339, T / 12)).isFalse();
    }

    private static boolean isTrustedAfterExpiryOfSessionCreatedAt(long createdAfter, long timeout) {
        SessionProof proof = new SessionProof(T, OptionalLong.of(2100), false, 2320);
        proof.answered(2330, 2340, Proves.COMMIT);
        boolean ends = proof.isSuspicionEndedBy(createdAfter, timeout);
        proof.laterSessionExpired(createdAfter, timeout, 2500);
        proof.answered(2510, 2520, Proves.COMMIT);
        assertThat(proof.isValid(2520)).isEqualTo(ends);
        return ends;
    }

    @Test
    void laterSessionCoversNothingButItsCreationIfTheClockFellBehind() {
        proof.clockFellBehind(50, 2200);
        reconnect(OptionalLong.of(2300), 2320);
        proof.answered(2330, 2340, Proves.COMMIT);

        assertThat(proof.isSuspicionEndedBy(2199, T)).isFalse();
        assertThat(proof.isSuspicionEndedBy(2200, T)).isTrue();
    }

    @Test
    void expiryOfAnotherSessionShowsNothingBeforeALapse() {
        proof.laterSessionExpired(1010, 0, 1020);
        reconnect(OptionalLong.of(2300), 2320);
        proof.answered(2330, 2340, Proves.COMMIT);

        proof.answered(2350, 2360, Proves.COMMIT);

        assertThat(proof.isValid(2360)).isFalse();
    }

    /** A request is a date for the leader's answer at 520 after it. */
    private void dateRequestAt(long at) {
        proof.answered(at - 20, at - 10, Proves.LEADER);
        proof.answered(at, at + 2, Proves.NOTHING);
        proof.answered(at + 5, at + 10, Proves.NOTHING);
        proof.answered(at + 150, at + 155, Proves.LEADER);
        proof.answered(at + 300, at + 305, Proves.LEADER);
        proof.answered(at + 450, at + 455, Proves.LEADER);
        proof.answered(at + 500, at + 520, Proves.COMMIT);
    }

    // clocks that have drifted apart

    @Test
    void touchOfAConnectionIsRedatedWhenTheClockFellBehind() {
        reconnect(OptionalLong.of(1900), 1910);
        proof.clockFellBehind(50, 1920);

        proof.answered(1930, 1940, Proves.COMMIT);

        assertThat(proof.remainingNanos(1940)).isEqualTo(1900 - 50 + LASTS - 1940);
    }

    @Test
    void newestAnsweredRequestIsRedatedWhenTheClockFellBehind() {
        proof.answered(1700, 1710, Proves.NOTHING);
        proof.clockFellBehind(50, 1720);

        // the attempt is from before the suspension, so it proves nothing
        reconnect(OptionalLong.of(1715), 1750);
        proof.answered(1760, 1770, Proves.COMMIT);

        assertThat(proof.remainingNanos(1770)).isEqualTo(1700 - 50 + LASTS - 1770);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEADER", "COMMIT"})
    void touchThatIsNotConfirmedYetIsRedatedWhenTheClockFellBehind(Proves before) {
        witnessOfTheRequestAt1100(before);
        proof.clockFellBehind(30, 1615);

        proof.answered(1620, 1630, before == Proves.LEADER ? Proves.COMMIT : Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1100 - 30 + LASTS - 1630);
    }

    /** The next answer confirms that the request at 1100 has touched the session. */
    private void witnessOfTheRequestAt1100(Proves witness) {
        proof.answered(1075, 1080, Proves.LEADER);
        proof.answered(1100, 1102, Proves.NOTHING);
        proof.answered(1105, 1110, Proves.NOTHING);
        proof.answered(1300, 1305, Proves.LEADER);
        // so that the proof of the request at 1006 is not only provisional
        proof.answered(1480, 1485, Proves.COMMIT);
        proof.answered(1495, 1500, Proves.LEADER);
        proof.answered(1600, 1610, witness);
    }

    private void reconnect(OptionalLong attemptedAfter, long now) {
        proof.disconnected();
        proof.connected(attemptedAfter, T, attemptedAfter, now);
    }
}
