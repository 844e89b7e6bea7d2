package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.session.SessionProof.Proves;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The bound of a session's life, with T = 1200 so that T/3 = 400, T/12 = 100 and a proof lasts 1100. */
class SessionProofTest {

    private static final long T = 1200;
    private static final long LASTS = T - T / 12;

    @Test
    void nothingIsProvenAtFirst() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1010);

        assertThat(proof.isValid(1010)).isFalse();
        assertThat(proof.remainingNanos(1010)).isZero();
    }

    @Test
    void aFirstGrantRestsOnTheCreationOfTheSessionOnceAWriteCommits() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1010);

        proof.answered(1020, 1030, Proves.COMMIT);

        assertThat(proof.remainingNanos(1030)).isEqualTo(1000 + LASTS - 1030);
    }

    @Test
    void aCommitProlongsOnlyUpToRequestsAnsweredAThirdEarlier() {
        SessionProof proof = proven();
        proof.answered(1175, 1205, Proves.LEADER);
        proof.answered(1200, 1210, Proves.NOTHING);
        proof.answered(1300, 1310, Proves.NOTHING);
        proof.answered(1380, 1385, Proves.LEADER);
        proof.answered(1400, 1410, Proves.NOTHING);
        proof.answered(1580, 1585, Proves.LEADER);

        proof.answered(1720, 1730, Proves.COMMIT);
        proof.answered(1740, 1750, Proves.LEADER);

        // what was sent at 1300 was confirmed at 1385, less than 400 before the write
        assertThat(proof.remainingNanos(1750)).isEqualTo(1200 + LASTS - 1750);
    }

    @Test
    void aRequestIsNoDateUntilALaterOneWasAnswered() {
        // M29: a follower may lose one touch
        SessionProof proof = proven();
        proof.answered(1175, 1205, Proves.LEADER);
        proof.answered(1200, 1210, Proves.NOTHING);
        proof.answered(1390, 1395, Proves.LEADER);
        proof.answered(1590, 1595, Proves.LEADER);

        proof.answered(1700, 1710, Proves.COMMIT);
        proof.answered(1720, 1730, Proves.LEADER);

        assertThat(proof.remainingNanos(1730)).isEqualTo(1006 + LASTS - 1730);
    }

    @Test
    void afterALapseTheLastRequestComesAfterTheExpiryOfALaterSession() {
        // M26, M34: a bucket that is being closed may contain this session
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), false, 0);
        proof.answered(75, 80, Proves.LEADER);
        answeredTwice(proof, 100);
        proof.answered(290, 295, Proves.LEADER);
        proof.answered(490, 495, Proves.LEADER);
        proof.answered(510, 520, Proves.COMMIT);

        proof.answered(530, 540, Proves.LEADER);
        assertThat(proof.isValid(540)).isFalse();

        proof.answered(700, 705, Proves.LEADER);
        proof.answered(830, 835, Proves.COMMIT);
        assertThat(proof.isValid(835)).isFalse();

        // the leader answers a sync of a session that it closes
        proof.laterSessionExpired(540, 0, 838);
        proof.answered(840, 850, Proves.LEADER);
        assertThat(proof.isValid(850)).isFalse();

        proof.answered(855, 860, Proves.COMMIT);
        assertThat(proof.remainingNanos(860)).isEqualTo(100 + LASTS - 860);
    }

    @Test
    void theAnswerBeforeTheLapseDoesNotSayThatTheTouchHasArrived() {
        // the follower's answer to a ping may wait in its link, behind which only the next request comes
        SessionProof proof = proven();
        long end = 1000 + LASTS;
        proof.answered(end - 525, end - 524, Proves.LEADER);
        answeredTwice(proof, end - 500);
        proof.answered(end - 310, end - 309, Proves.LEADER);
        proof.answered(end - 120, end - 119, Proves.LEADER);
        proof.answered(end - 90, end - 10, Proves.COMMIT);
        assertThat(proof.isValid(end - 1)).isTrue();

        proof.answered(end - 5, end + 200, Proves.COMMIT);
        assertThat(proof.isValid(end + 200)).isFalse();

        proof.answered(end + 210, end + 211, Proves.LEADER);
        proof.answered(end + 400, end + 401, Proves.LEADER);
        proof.laterSessionExpired(end + 200, 0, end + 450);
        proof.answered(end + 500, end + 510, Proves.COMMIT);
        assertThat(proof.remainingNanos(end + 510)).isEqualTo(end - 500 + LASTS - (end + 510));
    }

    @Test
    void anAttemptFromBeforeASuspensionDoesNotDateTheConnection() {
        // M19
        assertThat(isProvenByAttempt(2005, 2000)).isTrue();
        assertThat(isProvenByAttempt(1995, 2000)).isFalse();
    }

    private static boolean isProvenByAttempt(long attemptedAt, long suspendedUntil) {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), false, 0);
        proof.clockFellBehind(500, suspendedUntil);
        proof.connected(OptionalLong.of(attemptedAt), T, OptionalLong.of(attemptedAt), 2010);
        proof.answered(2020, 2030, Proves.COMMIT);
        proof.answered(2200, 2205, Proves.LEADER);
        proof.answered(2340, 2345, Proves.LEADER);
        proof.laterSessionExpired(2030, 0, 2390);
        proof.answered(2400, 2410, Proves.COMMIT);
        return proof.isValid(2410);
    }

    @Test
    void aShorterTimeoutCountsFromNowIfItsAttemptIsFromBeforeASuspension() {
        // M19, M27
        assertThat(remainingAfterShorterTimeout(1510)).isEqualTo(1510 + T / 2 - T / 24 - 1530);
        assertThat(remainingAfterShorterTimeout(1400)).isZero();
    }

    private static long remainingAfterShorterTimeout(long attemptedAt) {
        SessionProof proof = proven();
        proof.clockFellBehind(1, 1500);
        proof.connected(OptionalLong.of(1520), T / 2, OptionalLong.of(attemptedAt), 1530);
        return proof.remainingNanos(1530);
    }

    @Test
    void afterALapseAWriteOnANewConnectionComesAfterTheExpiryOfALaterSession() {
        SessionProof proof = proven();
        proof.disconnected();
        proof.connected(OptionalLong.of(2300), T, OptionalLong.of(2300), 2320);

        proof.answered(2330, 2340, Proves.COMMIT);
        assertThat(proof.isValid(2340)).isFalse();

        proof.answered(2500, 2505, Proves.LEADER);
        proof.answered(2650, 2660, Proves.COMMIT);
        assertThat(proof.isValid(2660)).as("however late").isFalse();

        proof.laterSessionExpired(2340, 0, 2670);
        proof.answered(2670, 2680, Proves.COMMIT);
        assertThat(proof.remainingNanos(2680)).isEqualTo(2300 + LASTS - 2680);
    }

    @Test
    void theLaterSessionIsCreatedAfterTheFirstAnswerOnTheNewConnection() {
        // the client calls itself connected until it opens the next socket, up to a second later
        // (ClientCnxn.startConnect)
        SessionProof proof = proven();
        proof.disconnected();
        proof.connected(OptionalLong.of(2300), T, OptionalLong.of(2300), 2320);

        proof.answered(2700, 2710, Proves.COMMIT);
        assertThat(proof.isValid(2710)).isFalse();

        proof.laterSessionExpired(2709, 0, 2970);
        proof.answered(2980, 2990, Proves.COMMIT);
        assertThat(proof.isValid(2990)).isFalse();

        proof.laterSessionExpired(2710, 0, 3010);
        proof.answered(3020, 3030, Proves.COMMIT);
        assertThat(proof.remainingNanos(3030)).isEqualTo(2300 + LASTS - 3030);
    }

    @Test
    void aFollowersAnswerDoesNotSayThatTheConnectionIsMade() {
        // a follower may take the leader's answer to an earlier attempt for that to a later one
        // (Learner.pendingRevalidations)
        SessionProof proof = proven();
        proof.disconnected();
        proof.connected(OptionalLong.of(1900), T, OptionalLong.of(1900), 1910);
        proof.answered(1920, 1930, Proves.NOTHING);

        proof.answered(2090, 2110, Proves.COMMIT);
        assertThat(proof.isValid(2110)).isFalse();

        proof.laterSessionExpired(2110, 0, 2400);
        proof.answered(2411, 2420, Proves.COMMIT);
        assertThat(proof.remainingNanos(2420)).isEqualTo(1900 + LASTS - 2420);
    }

    @Test
    void anIdleSessionIsProvenByItsNextWriteAfterTheExpiryOfALaterSession() {
        SessionProof proof = proven();
        proof.disconnected();
        proof.connected(OptionalLong.of(2300), T, OptionalLong.of(2300), 2320);
        long now = 2330;
        for (; now < 10 * T; now += T / 8) {
            proof.answered(now, now + 5, Proves.LEADER);
        }
        proof.answered(now, now + 5, Proves.COMMIT);
        assertThat(proof.isValid(now + 5)).isFalse();

        proof.laterSessionExpired(2335, 0, now + 6);
        proof.answered(now + 6, now + 8, Proves.COMMIT);

        assertThat(proof.remainingNanos(now + 8)).isGreaterThan(T / 4);
    }

    @Test
    void timeInWhichTheLeaderMayHaveStoodStillIsNoneInWhichItPings() {
        SessionProof proof = proven();
        proof.answered(1075, 1080, Proves.LEADER);
        answeredTwice(proof, 1100);
        proof.answered(1200, 1500, Proves.LEADER);

        // 425 passed from the request at 1075 to that answer, and 330 from the one at 1200 to the next
        proof.answered(1520, 1530, Proves.COMMIT);
        proof.answered(1540, 1550, Proves.LEADER);
        assertThat(proof.remainingNanos(1550)).isEqualTo(1000 + LASTS - 1550);

        proof.answered(1700, 1710, Proves.LEADER);
        proof.answered(1929, 1932, Proves.COMMIT);
        proof.answered(1935, 1938, Proves.LEADER);
        assertThat(proof.remainingNanos(1938)).isEqualTo(1000 + LASTS - 1938);

        proof.answered(1940, 1950, Proves.COMMIT);
        proof.answered(1960, 1970, Proves.LEADER);
        assertThat(proof.remainingNanos(1970)).isEqualTo(1200 + LASTS - 1970);
    }

    @Test
    void timeBeforeTheLeaderMayHaveStoodStillCounts() {
        SessionProof proof = proven();
        proof.answered(1075, 1080, Proves.LEADER);
        answeredTwice(proof, 1100);
        proof.answered(1250, 1255, Proves.LEADER);
        proof.answered(1260, 1550, Proves.LEADER);
        proof.answered(1551, 1555, Proves.LEADER);

        // 140 from 1110 to 1250, and 260 from 1555 on
        proof.answered(1700, 1710, Proves.LEADER);
        proof.answered(1814, 1816, Proves.COMMIT);
        proof.answered(1817, 1818, Proves.LEADER);
        assertThat(proof.remainingNanos(1818)).isLessThan(1100 + LASTS - 1818);
        proof.answered(1819, 1820, Proves.COMMIT);
        proof.answered(1830, 1840, Proves.LEADER);
        assertThat(proof.remainingNanos(1840)).isEqualTo(1100 + LASTS - 1840);
    }

    @Test
    void aSessionThatExistedBeforeItsConnectionCountsAsLapsed() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), false, 1010);

        proof.answered(1020, 1030, Proves.COMMIT);
        assertThat(proof.isValid(1030)).isFalse();

        proof.laterSessionExpired(1030, 0, 1300);
        proof.answered(1340, 1350, Proves.COMMIT);
        assertThat(proof.remainingNanos(1350)).isEqualTo(1000 + LASTS - 1350);
    }

    @Test
    void aCommitProvesWhatTheLeadersAnswersOnItsConnectionHaveProvenWhileNothingCommitted() {
        SessionProof proof = proven();
        long now = 1010;
        for (; now < 10 * T; now += T / 8) {
            proof.answered(now, now + 5, Proves.LEADER);
        }
        assertThat(proof.isValid(now)).isFalse();

        proof.answered(now, now + 5, Proves.COMMIT);

        assertThat(proof.remainingNanos(now + 5)).isGreaterThan(T / 4);
    }

    @Test
    void theLeadersAnswersOfAnEarlierConnectionAreNotProvenByACommit() {
        SessionProof proof = proven();
        long now = 1010;
        for (; now < 10 * T; now += T / 8) {
            proof.answered(now, now + 5, Proves.LEADER);
        }
        proof.disconnected();
        proof.connected(OptionalLong.of(now), T, OptionalLong.of(now), now + 1);

        proof.answered(now + 2, now + 5, Proves.COMMIT);

        assertThat(proof.isValid(now + 5)).isFalse();
    }

    @Test
    void aShorterTimeoutCountsFromBeforeTheAttemptToConnect() {
        // M27
        SessionProof proof = proven();
        proof.disconnected();

        proof.connected(OptionalLong.of(1100), 600, OptionalLong.of(1100), 1120);

        assertThat(proof.timeoutNanos()).isEqualTo(600);
        assertThat(proof.remainingNanos(1120)).isEqualTo(1100 + 550 - 1120);
    }

    @Test
    void aShorterTimeoutCountsFromItsOwnConnectionAndNotFromALaterAttempt() {
        SessionProof proof = proven();

        proof.connected(OptionalLong.of(1900), T / 2, OptionalLong.of(1200), 1910);

        assertThat(proof.remainingNanos(1210)).isEqualTo(1200 + LASTS / 2 - 1210);
    }

    @Test
    void aLongerTimeoutDoesNotCount() {
        SessionProof proof = proven();
        proof.disconnected();

        proof.connected(OptionalLong.of(1100), 2 * T, OptionalLong.of(1100), 1120);
        proof.answered(1130, 1140, Proves.COMMIT);

        assertThat(proof.timeoutNanos()).isEqualTo(T);
        assertThat(proof.remainingNanos(1140)).isEqualTo(1100 + LASTS - 1140);
    }

    @Test
    void aShorterTimeoutOfAnUnobservedConnectionEndsTheProof() {
        SessionProof proof = proven();
        proof.answered(1050, 1060, Proves.NOTHING);
        proof.disconnected();

        proof.connected(OptionalLong.empty(), 600, OptionalLong.empty(), 1120);

        // the answer may be of that very connection, which was noticed late
        assertThat(proof.remainingNanos(1120)).isZero();
    }

    @Test
    void renewalsAreCountedThatProveMore() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1010);
        assertThat(proof.renewals()).isZero();

        proof.answered(1020, 1030, Proves.COMMIT);
        assertThat(proof.renewals()).isEqualTo(1);

        // of the making of the session again, and of nothing later
        proof.answered(1040, 1050, Proves.COMMIT);
        assertThat(proof.renewals()).isEqualTo(1);
    }

    @Test
    void aCommitAloneProvesNothingOfRequestsOnItsOwnConnection() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), false, 0);
        proof.answered(100, 110, Proves.NOTHING);

        proof.answered(500, 510, Proves.COMMIT);

        assertThat(proof.isValid(510)).isFalse();
    }

    @Test
    void aRequestThatTheLeaderAnswersAfterTheCommitCompletesTheProof() {
        SessionProof proof = proven();
        proof.answered(1075, 1080, Proves.LEADER);
        answeredTwice(proof, 1100);
        proof.answered(1300, 1305, Proves.LEADER);
        proof.answered(1500, 1505, Proves.LEADER);
        proof.answered(1600, 1610, Proves.COMMIT);

        proof.answered(1620, 1630, Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1100 + LASTS - 1630);
    }

    @Test
    void aCommitAfterARequestThatTheLeaderAnsweredCompletesTheProof() {
        SessionProof proof = proven();
        proof.answered(1075, 1080, Proves.LEADER);
        answeredTwice(proof, 1100);
        proof.answered(1300, 1305, Proves.LEADER);
        proof.answered(1500, 1505, Proves.LEADER);
        proof.answered(1600, 1610, Proves.LEADER);

        proof.answered(1620, 1630, Proves.COMMIT);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1100 + LASTS - 1630);
    }

    @Test
    void aLeadersAnswersWithoutACommitProveNothing() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), false, 0);

        for (long now = 10; now < 5 * T; now += 10) {
            proof.answered(now, now + 5, Proves.LEADER);
        }

        assertThat(proof.isValid(5 * T)).isFalse();
    }

    @Test
    void aLeadersAnswerToARequestSentBeforeTheCommitWasSeenProvesNothing() {
        SessionProof proof = proven();
        proof.answered(1075, 1080, Proves.LEADER);
        answeredTwice(proof, 1100);
        proof.answered(1300, 1305, Proves.LEADER);
        proof.answered(1500, 1505, Proves.LEADER);
        proof.answered(1600, 1610, Proves.COMMIT);

        proof.answered(1609, 1630, Proves.LEADER);

        assertThat(proof.remainingNanos(1630)).isEqualTo(1006 + LASTS - 1630);
    }

    @Test
    void readsAloneNeverProveAnything() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(0), true, 0);

        for (long now = 10; now < 5 * T; now += 10) {
            proof.answered(now, now + 5, Proves.NOTHING);
        }

        assertThat(proof.isValid(5 * T)).isFalse();
    }

    @Test
    void afterAReconnectAWriteProvesWhatWasAnsweredBeforeIt() {
        SessionProof proof = proven();
        proof.answered(1700, 1710, Proves.NOTHING);

        proof.disconnected();
        proof.connected(OptionalLong.of(1690), T, OptionalLong.of(1690), 1750);
        proof.answered(1760, 1770, Proves.COMMIT);

        assertThat(proof.remainingNanos(1770)).isEqualTo(1700 + LASTS - 1770);
    }

    @Test
    void aConnectionOfWhichNoAttemptIsKnownDatesNothing() {
        // it may have been noticed late, and the answer at 1710 be its own
        SessionProof proof = proven();
        long before = proof.remainingNanos(1770);
        proof.answered(1700, 1710, Proves.NOTHING);

        proof.disconnected();
        proof.connected(OptionalLong.empty(), T, OptionalLong.empty(), 1750);
        proof.answered(1760, 1770, Proves.COMMIT);

        assertThat(proof.remainingNanos(1770)).isEqualTo(before);
    }

    @Test
    void aWriteSentBeforeTheReconnectProvesNothingOfTheNewConnection() {
        SessionProof proof = proven();
        proof.answered(1700, 1710, Proves.NOTHING);

        proof.disconnected();
        proof.connected(OptionalLong.empty(), T, OptionalLong.empty(), 1750);
        proof.answered(1740, 1770, Proves.COMMIT);

        assertThat(proof.remainingNanos(1770)).isEqualTo(1000 + LASTS - 1770);
    }

    @Test
    void aProofOnceGivenSurvivesALostConnection() {
        SessionProof proof = proven();

        proof.disconnected();

        assertThat(proof.isValid(1000 + LASTS - 1)).isTrue();
        assertThat(proof.isValid(1000 + LASTS)).isFalse();
    }

    @Test
    void aClockThatFellBehindEndsTheProofThatMuchEarlier() {
        SessionProof proof = proven();
        answeredTwice(proof, 1100);

        proof.clockFellBehind(250, 1200);
        assertThat(proof.remainingNanos(1200)).isEqualTo(1000 - 250 + LASTS - 1200);

        proof.answered(1210, 1215, Proves.LEADER);
        proof.answered(1400, 1405, Proves.LEADER);
        proof.answered(1600, 1605, Proves.LEADER);
        proof.answered(1650, 1660, Proves.COMMIT);
        proof.answered(1670, 1680, Proves.LEADER);
        assertThat(proof.remainingNanos(1680)).isEqualTo(1100 - 250 + LASTS - 1680);
    }

    @Test
    void whatWasSentBeforeTheClockFellBehindIsNoDate() {
        SessionProof proof = proven();
        proof.clockFellBehind(250, 1200);

        proof.answered(1190, 1300, Proves.NOTHING);
        proof.answered(1310, 1320, Proves.NOTHING);
        proof.answered(1311, 1330, Proves.LEADER);
        proof.answered(1500, 1505, Proves.LEADER);
        proof.answered(1700, 1705, Proves.LEADER);
        proof.answered(1731, 1735, Proves.COMMIT);
        proof.answered(1740, 1745, Proves.LEADER);

        assertThat(proof.remainingNanos(1745)).isEqualTo(1006 - 250 + LASTS - 1745);
    }

    @Test
    void theMonotonicClockMayWrapAround() {
        long start = Long.MAX_VALUE - 10;
        SessionProof proof = new SessionProof(T, OptionalLong.of(start), true, start + 1);

        proof.answered(start + 2, start + 20, Proves.COMMIT);

        assertThat(proof.isValid(start + 21)).isTrue();
        assertThat(proof.isValid(start + LASTS)).isFalse();
    }

    /** Of a session that was created after 1000, and lives until 1000 + LASTS. */
    private static SessionProof proven() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1005);
        proof.answered(1006, 1007, Proves.COMMIT);
        return proof;
    }

    /** So that the first of both is a date, from ten later on. */
    private static void answeredTwice(SessionProof proof, long at) {
        proof.answered(at, at + 2, Proves.NOTHING);
        proof.answered(at + 5, at + 10, Proves.NOTHING);
    }
}
