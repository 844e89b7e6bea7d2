package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Names that somebody chose who wants to reach another lock, or another node: each is one lock, or none. */
class HostileNamesTest {

    private static final String UUID = "5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11";

    @RegisterExtension
    final RealServer real = new RealServer();

    private final LocalZooKeeper server = real.itself();
    private final ZooKeeperLockRegistry registry = real.open(RealServer.builder()
            .connectString(server.connectString())
            .connectionTimeout(Duration.ofSeconds(60))
            .build());
    private final LockInspector inspector = registry.inspector();

    static List<String> locks() {
        return List.of(
                "zookeeper",
                "zookeeper/quota",
                "%2e%2e%2f",
                "%2e%2e%2fzookeeper",
                "..%2f..%2f",
                "..\\..\\",
                "...",
                ". .",
                " ..",
                ".. ",
                "\u2024\u2024",
                " orders",
                "orders ",
                "orders",
                "Orders",
                "\u00A0orders",
                "or\u200Bders",
                "or\u202Eders",
                "o\u0308",
                "\u00F6",
                "\uE000",
                "\uF8FF",
                "\uFFF0",
                "\uFFFD",
                "\uFFFE",
                "\uFFFF",
                "\uDBFF\uDFFF",
                "_",
                "_20orders",
                "_5Forders",
                "_c_" + UUID,
                "_c_" + UUID + "-lock-",
                "_c_" + UUID + "-lock-00000000000",
                "permits-2-of-3-",
                "permits-2-of-3-/orders",
                "lock-",
                "__READ__",
                "a/locks",
                "a/leases",
                "a/lock-/b",
                "#{T(java.lang.Runtime).getRuntime()}",
                "${spring.application.name}",
                "#{#other}",
                "<script>alert(1)<",
                "'; DROP TABLE locks; --",
                "$(reboot)",
                "%n%s%d{}",
                "{} {}",
                "${jndi:ldap:",
                "x".repeat(LockName.MAX_LENGTH - 1),
                "\uFFFF".repeat(LockName.MAX_LENGTH - 1),
                "a/".repeat(255) + "a");
    }

    @Test
    void eachIsALockOfItsOwnInsideTheBasePath() throws Exception {
        Deque<LockHandle> held = new ArrayDeque<>();
        for (String name : locks()) {
            held.push(registry.lock(name).tryAcquire().orElseThrow(() -> new AssertionError(name)));
            assertThat(held.peek().name().value()).isEqualTo("/" + name);
            assertThat(inspector.queue(name)).as(name).hasSize(1);
            assertThat(inspector.evict("other", inspector.queue(name).get(0).id()))
                    .isFalse();
        }

        Set<String> folders = new HashSet<>();
        for (String seat : Leftovers.seats(server)) {
            assertThat(seat).startsWith("/locks/");
            folders.add(seat.substring(0, seat.lastIndexOf('/')));
        }
        assertThat(folders).hasSize(locks().size());
        assertThat(server.treeBelow("/").stream().filter(path -> !path.startsWith("/locks")))
                .isEmpty();
        assertThat(inspector.names("/", "", 10_000))
                .extracting(LockName::value)
                .containsAll(locks().stream().map("/"::concat).toList());
        held.forEach(RealServer::giveBack);
    }

    static Stream<String> refused() {
        return Stream.of(
                "",
                "/",
                "//",
                "a//b",
                "//a",
                "a//",
                ".",
                "..",
                "./a",
                "../",
                "../zookeeper",
                "../../zookeeper/quota",
                "a/../b",
                "a/./b",
                "a/..",
                "a\u0000",
                "\u0000",
                "a\nb",
                "a\rb",
                "a\r\nINFO forged",
                "a\tb",
                "a\u001B[31mb",
                "a\u007F",
                "a\u0085b",
                "a\u2028b",
                "a\u2029b",
                "a\uD800",
                "\uDFFFa",
                "\uD83D/\uDE00",
                "x".repeat(LockName.MAX_LENGTH),
                "x".repeat(10_000),
                "\n".repeat(10_000),
                "\uD83D\uDE00".repeat(5_000),
                "a/".repeat(5_000),
                "_c_" + UUID + "-lock-0000000000",
                "a/_c_" + UUID + "-lock-0000000000",
                UUID + "-__READ__0000000001",
                UUID + "-__WRIT__0000000001/b",
                "_c_" + UUID + "-permits-2-of-3-0000000002",
                "lock-0000000003",
                "-permits-" + "1".repeat(490) + "-of-1-0000000002");
    }

    @ParameterizedTest
    @MethodSource("refused")
    void eachIsRefusedWithTheReasonBeforeAnybodyIsAsked(String name) {
        Stream<ThrowingCallable> ways = Stream.of(
                () -> registry.lock(name),
                () -> registry.readWriteLock(name),
                () -> registry.semaphore(name, 3),
                () -> registry.executeLocked(name, held -> "ran"),
                () -> inspector.queue(name),
                () -> inspector.evict(name, "seat"));

        assertThat(ways)
                .allSatisfy(way -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(way)
                        .withMessageStartingWith("Lock name '/")
                        .withMessageContaining(" has ")
                        .satisfies(refusal -> assertThat(refusal.getMessage())
                                .hasSizeLessThan(250)
                                .containsPattern("; (give|relative|choose|remove|use)")
                                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]")));
        assertThat(server.treeBelow("/")).isSubsetOf("/locks");
    }

    @ParameterizedTest
    @CsvSource({"/, .., 5", "/, 'a\n', 5", "a/../b, '', 5", "'a\u2028', '', 5"})
    void pagesOfNamesAreRefusedAlike(String prefix, String after, int limit) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> inspector.names(prefix, after, limit))
                .withMessageStartingWith("Lock name '/");
    }
}
