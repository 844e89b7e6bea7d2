package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** The codes of ZooKeeper's client as outcomes. */
class OutcomeTest {

    private static final int NO_CODE = -12_345;

    @Test
    void rejectionOfALocalSessionIsDistinguished() {
        assertThat(CuratorSession.outcomeOf(Code.EPHEMERALONLOCALSESSION.intValue()))
                .isEqualTo(Outcome.LOCAL_SESSION);
        assertThat(Outcome.LOCAL_SESSION.isUnknown()).isFalse();
        assertThat(Outcome.LOCAL_SESSION.isOfSentRequest()).isTrue();
    }

    @Test
    void outcomeIsUnknownWhereTheRequestMayHaveBeenExecuted() {
        EnumSet<Code> unknown = EnumSet.noneOf(Code.class);
        for (Code code : Code.values()) {
            if (CuratorSession.outcomeOf(code.intValue()).isUnknown()) {
                unknown.add(code);
            }
        }

        assertThat(unknown)
                .containsExactlyInAnyOrder(
                        Code.CONNECTIONLOSS,
                        Code.REQUESTTIMEOUT,
                        Code.OPERATIONTIMEOUT,
                        Code.THROTTLEDOP,
                        Code.SESSIONMOVED,
                        Code.NOTREADONLY,
                        Code.SESSIONEXPIRED,
                        Code.AUTHFAILED);
    }

    @Test
    void codeOfALaterServerIsARejection() {
        assertThat(CuratorSession.outcomeOf(NO_CODE)).isEqualTo(Outcome.REFUSED);
    }
}
