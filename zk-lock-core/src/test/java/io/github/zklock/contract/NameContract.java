package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.contract.ClusterFixture.Member;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which names are one lock, which are independent, which are none. */
public abstract class NameContract extends Contract {

    @Test
    void spellingsOfOneNameAreOneLock() throws Exception {
        Member other = join();
        try (LockHandle holder = other.registry().lock("/order-stats").acquire(LONG)) {

            for (String spelling : List.of("order-stats", "/order-stats", "/order-stats/", "order-stats/")) {
                assertThat(registry().lock(spelling).tryAcquire()).isEmpty();
                assertThat(registry().lock(spelling).name()).isEqualTo(holder.name());
            }
        }
    }

    @Test
    void nestedNamesAreIndependentOfTheirParents() throws Exception {
        Member other = join();
        try (LockHandle parent = lock().acquire();
                LockHandle child = other.registry().lock(name() + "/42").acquire(LONG);
                LockHandle grandchild =
                        other.registry().lock(name() + "/42/items").acquire(LONG)) {

            assertThat(List.of(parent, child, grandchild)).allMatch(LockHandle::isHeld);
        }
        try (LockHandle child = registry().lock(name() + "/42").acquire(LONG);
                LockHandle parent = lockOf(other).acquire(LONG)) {

            assertThat(List.of(parent, child)).allMatch(LockHandle::isHeld);
        }
    }

    @Test
    void oddCharactersMakeALockOfItsOwn() throws Exception {
        Member other = join();
        for (String odd : oddNames()) {
            String odder = name() + "/" + odd;
            try (LockHandle holder = registry().lock(odder).acquire()) {

                assertThat(holder.name().value()).isEqualTo(odder);
                assertThat(other.registry().lock(odder).tryAcquire()).as(odder).isEmpty();
                assertThat(registry().inspector().queue(odder)).hasSize(1);
            }
        }
        assertThat(registry().inspector().names(name(), "", 100))
                .extracting(LockName::value)
                .containsAll(oddNames().stream().map(odd -> name() + "/" + odd).toList());
    }

    private static List<String> oddNames() {
        return List.of(
                "with space",
                "ümlaut",
                "日本語",
                "😀",
                "%2F",
                "-1",
                "0",
                "_",
                "_c_",
                "__READ__",
                "a__WRIT__b",
                "lock-",
                "block-list",
                "a_2Fb",
                "quo\"te'",
                "back\\slash",
                "zookeeper",
                "...",
                "a:b",
                "#{x}",
                "${x}",
                "<script>");
    }

    @Test
    void namesThatDifferOnlyInEncodingAreDifferentLocks() throws Exception {
        try (LockHandle plain = registry().lock(name() + "/a b").acquire();
                LockHandle encoded = registry().lock(name() + "/a_20b").acquire(LONG);
                LockHandle upper = registry().lock(name() + "/A b").acquire(LONG)) {

            assertThat(List.of(plain, encoded, upper)).allMatch(LockHandle::isHeld);
        }
    }

    @Test
    void namesThatAreNoneAreRefusedWithTheReason() {
        Map<String, String> reasons = Map.ofEntries(
                Map.entry("", "empty segment"),
                Map.entry("/", "empty segment"),
                Map.entry("//", "empty segment"),
                Map.entry("a//b", "empty segment"),
                Map.entry("/a//", "empty segment"),
                Map.entry(".", "relative paths are not resolved"),
                Map.entry("a/../b", "relative paths are not resolved"),
                Map.entry("lock-0000000001", "looks like a node of a lock's queue"),
                Map.entry("a/_c_b1e5-lock-0000000007", "looks like a node of a lock's queue"),
                Map.entry("x-__READ__0000000007", "looks like a node of a lock's queue"),
                Map.entry("x-__WRIT__0000000007/b", "looks like a node of a lock's queue"),
                Map.entry("a\u0000b", "U+0000"),
                Map.entry("a\nb", "U+000A"),
                Map.entry("a\u007Fb", "U+007F"),
                Map.entry("a\u0085b", "U+0085"),
                Map.entry("a\uD800b", "U+D800"),
                Map.entry("a\uDC00", "U+DC00"));

        assertThat(reasons)
                .allSatisfy((refused, reason) -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(() -> registry().lock(refused))
                        .withMessageStartingWith("Lock name '")
                        .withMessageContaining(reason));
    }

    @Test
    void nameThatIsTooLongIsRefusedWithItsLength() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> registry().lock("x".repeat(100_000)))
                .withMessageContaining("100001 characters")
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(200));
    }

    @Test
    void longestNameIsALock() throws Exception {
        String longest = "/" + "é".repeat(511);

        try (LockHandle handle = registry().lock(longest).acquire()) {

            assertThat(handle.isHeld()).isTrue();
        }
    }
}
