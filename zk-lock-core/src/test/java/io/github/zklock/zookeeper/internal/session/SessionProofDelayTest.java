package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.session.SessionProof.Proves;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How long a lock waits until a write can prove its session, with T = 1200 so that T/3 = 400. */
class SessionProofDelayTest {

    private static final long T = 1200;

    @Test
    void writeOfANewSessionProvesAtOnce() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1010);

        assertThat(proof.nanosUntilWriteProves(1010)).isZero();
    }

    @Test
    void writeOfASuspectSessionProvesAsSoonAsALaterSessionHasExpired() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), false, 1010);
        proof.answered(1020, 1030, Proves.COMMIT);
        assertThat(proof.nanosUntilWriteProves(1030)).isEqualTo(400);
        assertThat(proof.nanosUntilWriteProves(1900)).isEqualTo(400);

        proof.laterSessionExpired(1030, 0, 1900);

        assertThat(proof.nanosUntilWriteProves(1900)).isZero();
    }

    @Test
    void withoutAnyAnswerAWriteProvesAfterAThird() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), false, 0);

        assertThat(proof.nanosUntilWriteProves(0)).isEqualTo(400);
    }

    @Test
    void writeProvesAThirdAfterTwoAnswers() {
        SessionProof proof = answeredTwice();

        assertThat(proof.nanosUntilWriteProves(200)).isEqualTo(102 + 400 - 200);
        assertThat(proof.nanosUntilWriteProves(502)).isZero();
        assertThat(proof.nanosUntilWriteProves(600)).isZero();
    }

    @Test
    void writeProvesAtOnceWhatTheLeaderHasConfirmedAThirdLater() {
        SessionProof proof = answeredTwice();
        proof.answered(290, 295, Proves.LEADER);
        proof.answered(490, 495, Proves.LEADER);
        assertThat(proof.nanosUntilWriteProves(496)).isEqualTo(102 + 400 - 496);

        proof.answered(510, 515, Proves.LEADER);

        assertThat(proof.nanosUntilWriteProves(516)).isZero();
    }

    @Test
    void whatTheLeaderHasConfirmedCountsForOneLifetime() {
        SessionProof proof = answeredTwice();
        proof.answered(290, 295, Proves.LEADER);
        proof.answered(490, 495, Proves.LEADER);
        proof.answered(510, 515, Proves.LEADER);
        // the leader may have stood still from 510 on, so the request at 290 is a date from 1155 on
        proof.answered(900, 1170, Proves.LEADER);

        assertThat(proof.nanosUntilWriteProves(100 + 1100)).isEqualTo(1155 + 400 - (100 + 1100));
    }

    @Test
    void newSessionThatWasNotProvenForOneLifetimeBeginsAnew() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1010);

        assertThat(proof.nanosUntilWriteProves(1000 + 1099)).isZero();
        assertThat(proof.nanosUntilWriteProves(1000 + 1100)).isEqualTo(400);
        assertThat(proof.nanosUntilWriteProves(3000)).isEqualTo(400);
    }

    @Test
    void proofThatNoWriteCanProlongYetWaitsForTheNextAnswers() {
        SessionProof proof = new SessionProof(T, OptionalLong.of(1000), true, 1005);
        proof.answered(1006, 1007, Proves.COMMIT);

        assertThat(proof.nanosUntilWriteProves(1010)).isEqualTo(400);
    }

    /** The request at 75 is a date from 102 on. */
    private static SessionProof answeredTwice() {
        SessionProof proof = new SessionProof(T, OptionalLong.empty(), false, 0);
        proof.answered(75, 80, Proves.LEADER);
        proof.answered(100, 102, Proves.NOTHING);
        proof.answered(105, 110, Proves.NOTHING);
        return proof;
    }
}
