package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class ReviewTest {

    private static final Method SCRIPT = Catalogue.scripts().get(0);

    @Test
    void saysFirstWhatWasWrong() {
        assertThat(Reviews.failed(SCRIPT, "Hollow: 3 grants\nK1: two holders\nK2: a token twice")
                        .seriousComplaint())
                .hasValue("K1: two holders");
    }

    @Test
    void saysNothingOfAnybodyIfTooLittleHappened() {
        assertThat(Reviews.failed(SCRIPT, "Hollow: 3 grants").seriousComplaint())
                .isEmpty();
    }

    @Test
    void saysNothingOfAnybodyIfItBrokeOff() {
        assertThat(Reviews.broken(SCRIPT, new IllegalStateException("no server"))
                        .seriousComplaint())
                .isEmpty();
    }

    @Test
    void saysNothingOfAnybodyIfItPassedOrWasSkipped() {
        assertThat(Reviews.passed(SCRIPT).seriousComplaint()).isEmpty();
        assertThat(Reviews.skipped(SCRIPT).seriousComplaint()).isEmpty();
    }
}
