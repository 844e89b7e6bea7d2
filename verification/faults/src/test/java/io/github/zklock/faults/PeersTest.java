package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeersTest {

    private static final Order ALL = Order.parse(List.of("peers"));
    private static final Order DEADLINES = Order.parse(List.of("peers", "--scenario", "S19"));
    private static final String TOO_LATE =
            "K9: first's call of acquire-1000 exclusive was answered with TIMEOUT after 9000 ms";

    @Test
    void whatIsKnownIsMissedUntilItIsSeen() {
        assertThat(Peers.missed(DEADLINES, List.of(Reviews.passed(script("S19")))))
                .hasSize(1);
        assertThat(Peers.missed(DEADLINES, List.of(Reviews.failed(script("S19"), "K7: never granted"))))
                .hasSize(1);

        assertThat(Peers.missed(DEADLINES, List.of(Reviews.failed(script("S19"), TOO_LATE))))
                .isEmpty();
    }

    @Test
    void whatIsKnownOfOneScenarioIsNotSeenInAnother() {
        assertThat(Peers.missed(
                        DEADLINES, List.of(Reviews.failed(script("S7"), TOO_LATE), Reviews.passed(script("S19")))))
                .hasSize(1);
    }

    @Test
    void ofThoseThatWereNotAskedForNothingIsMissed() {
        assertThat(Peers.missed(DEADLINES, List.of(Reviews.failed(script("S5"), "K5: no seat"))))
                .isEmpty();
        assertThat(Peers.missed(ALL, List.of())).hasSizeGreaterThanOrEqualTo(6);
    }

    @Test
    void aRunThatWasHollowOrBrokeOffIsNoResult() {
        assertThat(Peers.result(Reviews.failed(script("S19"), "Hollow: 0 grants")))
                .startsWith("no result: ");
        assertThat(Peers.result(Reviews.broken(script("S19"), new IllegalStateException("no server"))))
                .startsWith("no result: ");
        assertThat(Peers.result(Reviews.failed(script("S19"), TOO_LATE))).isEqualTo("flagged: " + TOO_LATE);
        assertThat(Peers.result(Reviews.passed(script("S19")))).isEqualTo("passed");
    }

    private static Method script(String id) {
        return Catalogue.scripts().stream()
                .filter(script -> Catalogue.id(script).equals(id))
                .findFirst()
                .orElseThrow();
    }
}
