package io.github.zklock.zookeeper.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitWindowTest {

    private static final long MILLI = 1_000_000L;

    private final CommitWindow window = new CommitWindow();
    private long now;
    private int underWay;

    @Test
    void growsWhileCommitsTakeNoLongerThanTheFastestOne() {
        int before = fill();

        for (int i = 0; i < 50; i++) {
            land(5 * MILLI);
            fill();
        }

        assertThat(size()).isGreaterThan(2 * before);
    }

    @Test
    void shrinksToOneWhereCommitsWaitForEachOther() {
        fill();
        land(MILLI);

        for (int i = 0; i < 50; i++) {
            land(5 * MILLI);
            fill();
        }

        assertThat(size()).isOne();
    }

    @Test
    void doesNotShrinkWhereEachCommitIsAloneAndSomeAreSlow() {
        int before = size();
        release();

        for (int i = 0; i < 50; i++) {
            window.departed();
            underWay++;
            land(i % 2 == 0 ? MILLI : 20 * MILLI);
        }

        assertThat(size()).isEqualTo(before);
    }

    @Test
    void isNoLargerThan64() {
        for (int i = 0; i < 10_000; i++) {
            fill();
            land(MILLI);
        }

        assertThat(size()).isEqualTo(64);
    }

    /** The monotonic clock may begin anywhere. */
    @ParameterizedTest
    @ValueSource(longs = {0, -5_000_000_000_000_000_000L, Long.MAX_VALUE})
    void theFastestCommitIsForgottenAfterAWhile(long begin) {
        now = begin;
        fill();
        land(MILLI);

        for (int i = 0; i < 10_000; i++) {
            fill();
            land(5 * MILLI);
        }

        assertThat(size()).isEqualTo(64);
    }

    @Test
    void anAnswerThatSaysNothingOfTheServersChangesNothing() {
        int before = fill();

        assertThat(size()).isEqualTo(before);
    }

    /** Has as many depart as there is room for, and returns how many. */
    private int fill() {
        int departed = 0;
        while (window.hasRoom()) {
            window.departed();
            departed++;
        }
        underWay += departed;
        return departed;
    }

    private void land(long nanos) {
        now += nanos;
        underWay--;
        window.landed(nanos, now);
    }

    /** Of a window in which nothing is under way any more. */
    private int size() {
        release();
        return fill();
    }

    private void release() {
        while (underWay > 0) {
            window.landed();
            underWay--;
        }
    }
}
