package io.github.zklock.zookeeper.internal.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Link;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Hold;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Wait;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a circle counts as a deadlock, by what the searches have read. */
class SuspectsTest {

    private final Suspects suspects = new Suspects();

    private static Link link(String registry, int version, long id, long token) {
        Wait wait = new Wait(id, LockName.of("/a"), LockKind.EXCLUSIVE, 1, 1, "main", 0, List.of());
        return new Link(registry, registry, false, version, wait, new Hold("seat", token));
    }

    private static List<List<Link>> circle(int shopVersion, int billingVersion) {
        return List.of(List.of(link("shop", shopVersion, 1, 10), link("billing", billingVersion, 2, 20)));
    }

    @Test
    void circleIsConfirmedOnceWhenEachWaitWasPublishedTwiceAgain() {
        assertThat(suspects.confirm(circle(1, 1))).isEmpty();
        assertThat(suspects.confirm(circle(2, 2))).isEmpty();
        assertThat(suspects.confirm(circle(3, 3))).isEmpty();
        assertThat(suspects.confirm(circle(4, 4))).isEqualTo(circle(4, 4));
        assertThat(suspects.confirm(circle(5, 5))).isEmpty();
    }

    @Test
    void eachWaitHasToBePublishedAgainAfterTheSecondSearch() {
        suspects.confirm(circle(1, 1));
        suspects.confirm(circle(2, 2));

        assertThat(suspects.confirm(circle(4, 2))).isEmpty();
        assertThat(suspects.confirm(circle(5, 3))).isEmpty();
        assertThat(suspects.confirm(circle(6, 4))).hasSize(1);
    }

    @Test
    void otherWaitOfTheSameThreadIsAnotherCircle() {
        suspects.confirm(circle(1, 1));
        suspects.confirm(circle(2, 2));

        assertThat(suspects.confirm(List.of(List.of(link("shop", 4, 7, 10), link("billing", 4, 2, 20)))))
                .isEmpty();
    }

    @Test
    void laterTurnOfTheSameSeatIsAnotherCircle() {
        suspects.confirm(circle(1, 1));
        suspects.confirm(circle(2, 2));

        assertThat(suspects.confirm(List.of(List.of(link("shop", 4, 1, 11), link("billing", 4, 2, 20)))))
                .isEmpty();
    }

    @Test
    void circleThatWasGoneHasToBeConfirmedAnew() {
        suspects.confirm(circle(1, 1));
        suspects.confirm(circle(2, 2));
        suspects.confirm(List.of());

        assertThat(suspects.confirm(circle(3, 3))).isEmpty();
        assertThat(suspects.confirm(circle(4, 4))).isEmpty();
        assertThat(suspects.confirm(circle(6, 6))).as("armed again").hasSize(1);
    }

    @Test
    void circleIsTheSameFromWhicheverWaitItBegins() {
        suspects.confirm(circle(1, 1));
        suspects.confirm(List.of(List.of(link("billing", 2, 2, 20), link("shop", 2, 1, 10))));

        assertThat(suspects.confirm(circle(4, 4))).hasSize(1);
    }
}
