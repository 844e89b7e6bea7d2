package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DemandTest {

    private static final Demand[] KINDS = {Demand.EXCLUSIVE, Demand.READ, Demand.WRITE, Demand.permits(2, 3)};

    @Test
    void demandsAreEqualIfKindAndBothNumbersAre() {
        Demand some = Demand.permits(2, 3);

        assertThat(some).isEqualTo(Demand.permits(2, 3)).hasSameHashCodeAs(Demand.permits(2, 3));
        assertThat(some).isNotEqualTo(Demand.permits(1, 3)).isNotEqualTo(Demand.permits(2, 4));
        assertThat(Demand.permits(1, 1)).isNotEqualTo(Demand.EXCLUSIVE);
        assertThat(some.equals((Object) "as 2 of 3 permits")).isFalse();
    }

    @Test
    void demandsOfOneKindQueueTogetherAndReadersQueueWithWriters() {
        assertThat(agreeingWith(Demand.EXCLUSIVE)).containsExactly(Demand.EXCLUSIVE);
        assertThat(agreeingWith(Demand.READ)).containsExactly(Demand.READ, Demand.WRITE);
        assertThat(agreeingWith(Demand.WRITE)).containsExactly(Demand.READ, Demand.WRITE);
        assertThat(agreeingWith(Demand.permits(1, 2))).containsExactly(Demand.permits(2, 3));
    }

    @Test
    void exclusiveAndWritingDemandsShareWithNoOther() {
        assertThat(Demand.EXCLUSIVE.isAlone()).isTrue();
        assertThat(Demand.WRITE.isAlone()).isTrue();
        assertThat(Demand.READ.isAlone()).isFalse();
        assertThat(Demand.permits(3, 3).isAlone()).isFalse();
    }

    @Test
    void textEndsASentenceThatStatesHowALockIsRequested() {
        assertThat(KINDS)
                .extracting(Demand::toString)
                .containsExactly("exclusively", "to read", "to write", "as 2 of 3 permits");
    }

    private static List<Demand> agreeingWith(Demand demand) {
        return Stream.of(KINDS).filter(demand::agreesWith).toList();
    }
}
