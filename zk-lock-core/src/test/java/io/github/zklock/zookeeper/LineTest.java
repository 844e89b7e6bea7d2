package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineTest {

    private static final List<Demand> DEMANDS = List.of(
            Demand.EXCLUSIVE,
            Demand.READ,
            Demand.READ,
            Demand.WRITE,
            Demand.permits(1, 3),
            Demand.permits(2, 3),
            Demand.permits(1, 4),
            Demand.permits(9, 3));

    @Test
    void whoHoldsIsCountedAsEachOfThemWouldBeTold() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            List<Demand> mixture = DEMANDS.subList(random.nextInt(DEMANDS.size()), DEMANDS.size());
            Set<String> children = new LinkedHashSet<>();
            for (int seat = random.nextInt(8); seat > 0; seat--) {
                children.add(seat(mixture.get(random.nextInt(mixture.size())), random.nextInt(20)));
            }

            Line line = Line.of(children);

            assertThat(line.seats().stream().map(line::holds))
                    .as(line.seats().toString())
                    .containsExactlyElementsOf(IntStream.range(0, line.seats().size())
                            .mapToObj(place -> place < line.holding())
                            .toList());
        }
    }

    @Test
    void permitsThatAreTooManyToBeCountedLeaveNoneFree() {
        Line line = Line.of(IntStream.range(0, 22_000)
                .mapToObj(i -> seat(Demand.permits(99_999, 3), i))
                .toList());

        assertThat(line.permitsLeft(3)).isZero();
        assertThat(line.admits(Demand.permits(1, 3))).isFalse();
        assertThat(line.holding()).isEqualTo(1);
    }

    @Test
    void seatsOfOneNumberAreRivalsUnlessOneOfThemReads() {
        SeatName first =
                SeatName.parse("_c_%036d-__WRIT__0000000007".formatted(1)).orElseThrow();
        SeatName second =
                SeatName.parse("_c_%036d-__WRIT__0000000007".formatted(2)).orElseThrow();
        SeatName reader =
                SeatName.parse("_c_%036d-__READ__0000000007".formatted(1)).orElseThrow();
        SeatName next =
                SeatName.parse("_c_%036d-__WRIT__0000000008".formatted(3)).orElseThrow();

        Line line = Line.of(List.of(first.node(), second.node(), reader.node(), next.node()));

        assertThat(line.seats().stream().filter(line::hasRivalOf)).containsExactlyInAnyOrder(first, second);
        assertThat(line.without(Set.of(second.id())).hasRivalOf(first)).isFalse();
    }

    private static String seat(Demand demand, int sequence) {
        String id = "%08d-0000-0000-0000-000000000000".formatted(sequence);
        return "%s%010d".formatted(SeatName.stem(id, demand), sequence);
    }
}
