package io.github.zklock.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.zklock.LockHandle;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.test.LockAssertions;
import io.github.zklock.test.autoconfigure.Shop.OrderStats;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.transaction.annotation.Transactional;

class LeftoverLocksTest {

    @Test
    void aTestThatLeavesLocksFailsAndTheNextOneCanAcquireThem() {
        Events tests = run(Sloppy.class);

        tests.assertStatistics(all -> all.started(2).failed(1).succeeded(1));
        assertThat(failures(tests))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageMatching(
                                "Test Sloppy\\.leavesLocks left 2 locks held: '/a' \\(EXCLUSIVE, HELD, token \\d+,"
                                        + " acquired by thread '.+' [0-9.]+ m?s ago, awaited by '.+'\\), '/b' \\(READ, .+\\)\\. They were"
                                        + " released by force for the next test\\. Close each handle.+"));
    }

    @Test
    void theFailureOfTheTestItselfComesFirst() {
        Events tests = run(Broken.class);

        assertThat(failures(tests)).singleElement().satisfies(failure -> {
            assertThat(failure).hasMessage("broken");
            assertThat(failure.getSuppressed())
                    .singleElement()
                    .asString()
                    .contains("Test Broken.breaks left a lock held");
        });
    }

    @Test
    void locksThatEndWithTheTestAreNotLeftOver() {
        run(Tidy.class).assertStatistics(all -> all.started(3).succeeded(3));
    }

    @Test
    void locksThatWereHeldBeforeTheTestAreNotLeftByIt() {
        run(HeldByClass.class).assertStatistics(all -> all.started(1).succeeded(1));
    }

    @Test
    void takeAwayReleasesLeftoversWithoutAFailure() {
        run(TakingAway.class).assertStatistics(all -> all.started(2).succeeded(2));
    }

    @Test
    void keepLeavesLeftoversHeld() {
        run(Keeping.class).assertStatistics(all -> all.started(2).succeeded(2));
    }

    private static Events run(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .execute()
                .testEvents();
    }

    private static List<Throwable> failures(Events tests) {
        return tests.failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .toList();
    }

    @SpringBootTest(
            classes = Shop.class,
            webEnvironment = WebEnvironment.NONE,
            properties = "zk.lock.connection-timeout=5s")
    @AutoConfigureZkLock
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    abstract static class InShop {

        @Autowired
        InMemoryLockRegistry registry;

        @Autowired
        OrderStats stats;
    }

    static class Sloppy extends InShop {

        @Test
        @Order(1)
        void leavesLocks() throws Exception {
            registry.lock("/a").acquire();
            registry.readWriteLock("/b").readLock().acquire();
            CompletableFuture<LockHandle> waiting = registry.lock("/a").acquireAsync();
            assertThat(waiting).isNotDone();
        }

        @Test
        @Order(2)
        void findsThemFree() throws Exception {
            LockAssertions.assertThat(registry).holdsNothing().hasWaiting("/a", 0);
            registry.lock("/a").tryAcquire().orElseThrow().close();
        }
    }

    static class Broken extends InShop {

        @Test
        void breaks() throws Exception {
            registry.lock("/a").acquire();
            throw new IllegalStateException("broken");
        }
    }

    static class Tidy extends InShop {

        private @Nullable LockHandle handle;

        @AfterEach
        void close() {
            if (handle != null) {
                handle.close();
            }
        }

        @Test
        void closesAfterwards() throws Exception {
            handle = registry.lock("/a").acquire();
        }

        @Test
        @Transactional
        void holdsToTheEndOfItsTransaction() {
            stats.count();

            LockAssertions.assertThat(registry).holds(Shop.STATS);
        }

        @Test
        void leavesWorkToOthersThatEndsSoon() throws Exception {
            LockHandle elsewhere = registry.lock("/a").acquire();
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(elsewhere::close);
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    static class HeldByClass extends InShop {

        private @Nullable LockHandle handle;

        @BeforeAll
        void acquire() throws Exception {
            handle = registry.lock("/a").acquire();
        }

        @Test
        void acquiresNothing() {
            LockAssertions.assertThat(handle).isHeld();
        }

        @AfterAll
        void close() {
            handle.close();
        }
    }

    @AutoConfigureZkLock(leftovers = LeftoverLocks.TAKE_AWAY)
    static class TakingAway extends InShop {

        @Test
        @Order(1)
        void leavesALock() throws Exception {
            registry.lock("/a").acquire();
        }

        @Test
        @Order(2)
        void findsItFree() {
            LockAssertions.assertThat(registry).holdsNothing();
        }
    }

    @AutoConfigureZkLock(leftovers = LeftoverLocks.KEEP)
    static class Keeping extends InShop {

        private static @Nullable LockHandle handle;

        @Test
        @Order(1)
        void leavesALock() throws Exception {
            handle = registry.lock("/a").acquire();
        }

        @Test
        @Order(2)
        void findsItHeld() {
            LockAssertions.assertThat(handle).isHeld();
            LockAssertions.assertThat(registry).holdsOnly("/a");
            handle.close();
        }
    }
}
