package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameSnapshotTest {

    @Test
    void knowsFiftyThousandAndThatThereAreMore() throws InterruptedException {
        NameSnapshot snapshot = take(60_000);

        assertThat(snapshot.names()).hasSize(50_000).doesNotHaveDuplicates().endsWith("/l049999");
        assertThat(snapshot.truncated()).isTrue();
    }

    @Test
    void knowsAllOfFiftyThousand() throws InterruptedException {
        NameSnapshot snapshot = take(50_000);

        assertThat(snapshot.names()).hasSize(50_000);
        assertThat(snapshot.truncated()).isFalse();
    }

    @Test
    void findsTextInAnyCase() {
        NameSnapshot snapshot = new NameSnapshot(List.of("/Orders/Ä", "/orders/b", "/stock"), false);

        assertThat(snapshot.matching("ORD", "")).containsExactly("/Orders/Ä", "/orders/b");
        assertThat(snapshot.matching("ä", "")).containsExactly("/Orders/Ä");
        assertThat(snapshot.matching(".*", "")).isEmpty();
        assertThat(snapshot.matching("b", "/orders")).containsExactly("/orders/b");
    }

    @Test
    void findsWhatLiesInAFolder() {
        NameSnapshot snapshot = new NameSnapshot(List.of("/a", "/a/b", "/a/b/c", "/ab", "/b"), false);

        assertThat(snapshot.matching("", "/a")).containsExactly("/a", "/a/b", "/a/b/c");
        assertThat(snapshot.matching("", "/a/b/")).containsExactly("/a/b", "/a/b/c");
        assertThat(snapshot.matching("", "/")).hasSize(5);
        assertThat(snapshot.matching("", "")).hasSize(5);
    }

    private static NameSnapshot take(int locks) throws InterruptedException {
        return NameSnapshot.take(Inspectors.withLocks(locks), Duration.ofSeconds(5), () -> 0);
    }
}
