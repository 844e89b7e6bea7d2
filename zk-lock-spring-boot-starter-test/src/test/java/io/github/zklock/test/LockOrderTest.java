package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockOrderException;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.internal.order.NestedOrder;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a registry does about nested locks in contradictory orders. */
class LockOrderTest {

    @Test
    void contradictionFails() throws Exception {
        try (InMemoryLockRegistry registry = registry(DeadlockReaction.FAIL)) {
            nested(registry, "/a", "/b");

            assertThatExceptionOfType(LockOrderException.class).isThrownBy(() -> nested(registry, "/b", "/a"));
            assertThat(registry.inspector().held()).isEmpty();
            nested(registry, "/a", "/b");
        }
    }

    @Test
    void asynchronousRequestIsCheckedToo() throws Exception {
        try (InMemoryLockRegistry registry = registry(DeadlockReaction.FAIL)) {
            nested(registry, "/a", "/b");

            registry.executeLocked("/b", handle -> {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> registry.lock("/a").acquireAsync().get())
                        .withCauseInstanceOf(LockOrderException.class);
                return null;
            });
        }
    }

    @Test
    void triesCannotBePartOfADeadlock() throws Exception {
        try (InMemoryLockRegistry registry = registry(DeadlockReaction.FAIL)) {
            nested(registry, "/a", "/b");

            registry.executeLocked("/b", handle -> {
                assertThat(registry.lock("/a").tryAcquire()).hasValueSatisfying(LockHandle::close);
                return null;
            });
        }
    }

    @Test
    void lockThatIsReleasedWithinItsScopeIsNotHeld() throws Exception {
        try (InMemoryLockRegistry registry = registry(DeadlockReaction.FAIL)) {
            registry.executeLocked("/a", handle -> {
                handle.close();
                registry.lock("/b").acquire().close();
                return null;
            });

            nested(registry, "/b", "/a");
        }
    }

    @Test
    void locksThatAreAcquiredTogetherHaveNoOrder() throws Exception {
        try (InMemoryLockRegistry registry = registry(DeadlockReaction.FAIL)) {
            registry.allOf(registry.lock("/a"), registry.lock("/b")).acquire().close();
            registry.allOf(registry.lock("/b"), registry.lock("/a")).acquire().close();

            try (Handle both = registry.allOf(registry.lock("/b"), registry.lock("/a"))
                            .acquire();
                    LockContext.Scope scope = LockContext.open(both)) {
                registry.lock("/c").acquire(Duration.ofSeconds(10)).close();
            }
            assertThatExceptionOfType(LockOrderException.class).isThrownBy(() -> nested(registry, "/c", "/b"));
        }
    }

    @Test
    void contradictionIsLoggedOnceUnlessSetOtherwise() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(NestedOrder.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try (InMemoryLockRegistry registry = InMemoryLockRegistry.builder().build();
                InMemoryLockRegistry silent = registry(DeadlockReaction.IGNORE)) {
            for (int time = 0; time < 2; time++) {
                nested(registry, "/a", "/b");
                nested(registry, "/b", "/a");
                nested(silent, "/a", "/b");
                nested(silent, "/b", "/a");
            }
            // the engine logs on a thread of its own
            Awaitility.await().until(() -> !logged.list.isEmpty());
        } finally {
            logger.detachAppender(logged);
        }

        assertThat(logged.list).singleElement().satisfies(event -> {
            assertThat(event.getFormattedMessage()).startsWith("Lock '/a' is requested by thread '");
            assertThat(event.getThrowableProxy().getCause().getMessage()).contains("held '/a' and requested '/b'");
        });
    }

    private static InMemoryLockRegistry registry(DeadlockReaction order) {
        return InMemoryLockRegistry.builder().lockOrder(order).build();
    }

    private static void nested(LockRegistry registry, String outer, String inner) throws InterruptedException {
        registry.executeLocked(outer, held -> registry.executeLocked(inner, handle -> null));
    }
}
