package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.annotation.DistributedLock;
import java.util.AbstractMap;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attacks with values whose text is not the same in each process. */
@SuppressWarnings({"ArrayRecordComponent", "JavaUtilDate"}) // as users write them
class NameAttackTest extends LaterCallTest {

    record ByArray(long[] ids) {}

    record BySet(Set<String> ids) {}

    record ByDate(Date day) {}

    record ByObject(Object id) {}

    record Nested(ByArray inner) {}

    record Plain(String shop, long id, @Nullable String note) {}

    static class Orders {

        @DistributedLock("/attack/#{#id}")
        public List<String> of(Object id) {
            return heldNow();
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    static Stream<Object> values() {
        return Stream.of(
                new ByArray(new long[] {1}),
                new Nested(new ByArray(new long[] {1})),
                new BySet(new HashSet<>(List.of("a", "b"))),
                new ByDate(new Date(0)),
                new ByObject(new Object()),
                Map.of("a", "1", "b", "2").values(),
                new HashMap<>(Map.of("a", "1", "b", "2")).values(),
                new PriorityQueue<>(List.of(3, 2, 1)),
                Map.entry("a", new Object()),
                new AbstractMap.SimpleEntry<>("a", new HashSet<>(List.of(1, 2))),
                Optional.of(new ByArray(new long[0])),
                List.of(new ByArray(new long[0])));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aValueWithoutATextForAllProcessesIsRefused(Object value) {
        assertThatIllegalArgumentException().isThrownBy(() -> orders.of(value));
    }

    @Test
    void aRecordOfPlainValuesNamesALock() {
        assertThat(orders.of(new Plain("books", 7, null)))
                .containsExactly("/attack/Plain[shop=books, id=7, note=null]");
        assertThat(orders.of(new TreeSet<>(List.of("b", "a")))).containsExactly("/attack/[a, b]");
    }
}
