package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockName;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockFolderTest {

    @ParameterizedTest
    @CsvSource({
        "/order-stats, /locks/order-stats",
        "/orders/42, /locks/orders/42",
        "/order_stats, /locks/order_5Fstats",
        "/0815, /locks/_30815",
        "/-1, /locks/_2D1",
        "/%2F, /locks/_252F",
        "/block-1, /locks/block_2D1",
        "/Müller, /locks/M_C3_BCller",
        "/a b:c, /locks/a_20b_3Ac"
    })
    void encodesWhatCouldMislead(String name, String folder) {
        assertThat(LockFolder.of("/locks", LockName.of(name))).isEqualTo(folder);
    }

    @Test
    void theRootMayBeTheBase() {
        assertThat(LockFolder.of("/", LockName.of("a"))).isEqualTo("/a");
    }

    @Test
    void anyNameIsReadBackAsItWas() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String segment = randomSegment(random);
            LockName name = LockName.of("x/" + segment);

            String folder = LockFolder.of("/locks", name);

            assertThat(LockFolder.nameOf(folder.substring("/locks".length()))).isEqualTo(name);
        }
    }

    @Test
    void noFolderSortsBeforeASequenceNorContainsAMarkerOfCurator() {
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            String encoded = LockFolder.encode(randomSegment(random));

            assertThat(new TreeSet<>(List.of(encoded, "0999999999")).first()).isEqualTo("0999999999");
            assertThat(encoded).doesNotContain("lock-", "__READ__", "__WRIT__");
            assertThat(SeatName.parse(encoded)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a_", "/a_5", "/a_xx", "/a_5f"})
    void aFolderThatNobodyEncodedIsNoLock(String folder) {
        assertThatThrownBy(() -> LockFolder.nameOf(folder)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String randomSegment(Random random) {
        String pieces = "abzAZ019-._%:, lock-READWRIT__üßあ\uD83D\uDE00";
        int[] characters = pieces.codePoints().toArray();
        StringBuilder segment = new StringBuilder();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            segment.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        boolean relative = segment.toString().equals(".") || segment.toString().equals("..");
        return relative ? "y" : segment.toString();
    }
}
