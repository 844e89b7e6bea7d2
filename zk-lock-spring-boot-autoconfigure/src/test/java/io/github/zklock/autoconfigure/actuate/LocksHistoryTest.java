package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.autoconfigure.leadership.ZkLockLeadershipAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class LocksHistoryTest {

    private static final String REGISTRY = "zkLockRegistry";

    private final ApplicationContextRunner exposed = Contexts.connected()
            .withConfiguration(AutoConfigurations.of(ZkLockEndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=zklocks");

    private final ApplicationContextRunner withConsole = exposed.withBean("zkLockConsoleEndpoint", Object.class);

    @Test
    void nothingIsRecordedWithoutTheConsole() {
        exposed.run(context -> {
            assertThat(context).doesNotHaveBean(LocksHistory.class);
            assertThat(steps(context.getBean(LocksEndpoint.class), true)).isNull();
        });
    }

    @Test
    void aStepHasItsEventsAndTheStateAtItsEnd() {
        withConsole.run(context -> {
            LocksHistory history = context.getBean(LocksHistory.class);
            LockRegistry registry = context.getBean(LockRegistry.class);
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            try (LockHandle held = registry.lock("/history/held").acquire()) {
                Awaitility.await().until(() -> totals(endpoint).acquired() == 1);
                // another listener has the event, so it is about to arrive
                Awaitility.await().until(() -> {
                    history.step();
                    return last(endpoint).held() == 1
                            && steps(endpoint, true).stream()
                                    .anyMatch(each -> each.events().acquired() == 1);
                });
                assertThat(held.isHeld()).isTrue();
            }
            Awaitility.await().until(() -> {
                history.step();
                return last(endpoint).held() == 0
                        && steps(endpoint, true).stream()
                                        .mapToLong(each -> each.events().released())
                                        .sum()
                                == 1;
            });

            assertThat(steps(endpoint, true).stream()
                            .mapToLong(each -> each.events().acquired())
                            .sum())
                    .isEqualTo(1);
        });
    }

    @Test
    void aCandidateOfALeadershipIsNoWaiter() {
        withConsole
                .withConfiguration(AutoConfigurations.of(
                        ZkLockAopAutoConfiguration.class, ZkLockLeadershipAutoConfiguration.class))
                .withPropertyValues("zk.lock.leadership=/history/leader")
                .run(context -> {
                    LocksHistory history = context.getBean(LocksHistory.class);
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    Leadership own = context.getBean(Leadership.class);
                    Awaitility.await().until(own::isLeader);
                    history.step();
                    try (ZooKeeperLockRegistry other = ZooKeeperLockRegistry.builder()
                                    .connectString(Contexts.server().connectString())
                                    .build();
                            Leadership rival = other.leadership("/history/leader")) {
                        rival.start();
                        Awaitility.await()
                                .until(() -> other.inspector()
                                                .queue("/history/leader")
                                                .size()
                                        == 2);
                        own.stepDown(Duration.ZERO);
                        Awaitility.await().until(rival::isLeader);
                        Awaitility.await()
                                .until(() -> report(endpoint, null).awaited().size() == 1);

                        history.step();

                        assertThat(last(endpoint).awaited()).isZero();
                        assertThat(last(endpoint).longestWait()).isEqualTo("PT0S");
                        assertThat(last(endpoint).events().released()).isZero();
                    }
                });
    }

    @Test
    void aQuarterOfAnHourIsKept() {
        withConsole.run(context -> {
            LocksHistory history = context.getBean(LocksHistory.class);
            for (int i = 0; i < LocksHistory.STEPS + 10; i++) {
                history.step();
            }

            assertThat(history.of(REGISTRY)).hasSize(LocksHistory.STEPS);
            assertThat(LocksHistory.STEP.multipliedBy(LocksHistory.STEPS)).hasMinutes(15);
            assertThat(history.of("another")).isEmpty();
        });
    }

    @Test
    void theEndpointReturnsItIfRequested() {
        withConsole.run(context -> {
            context.getBean(LocksHistory.class).step();
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);

            assertThat(steps(endpoint, true)).isNotEmpty();
            assertThat(steps(endpoint, false)).isNull();
            assertThat(steps(endpoint, null)).isNull();
        });
    }

    @Test
    void noThreadAndNoListenerRemainAfterTheContext() {
        withConsole.run(context -> assertThat(historyThreads()).isNotEmpty());

        Awaitility.await().untilAsserted(() -> assertThat(historyThreads()).isEmpty());
    }

    private static List<Thread> historyThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("zk-lock-history"))
                .toList();
    }

    private static LocksReport.Step last(LocksEndpoint endpoint) throws InterruptedException {
        List<LocksReport.Step> steps = steps(endpoint, true);
        return steps.get(steps.size() - 1);
    }

    private static List<LocksReport.Step> steps(LocksEndpoint endpoint, Boolean history) throws InterruptedException {
        return report(endpoint, history).history();
    }

    private static LocksReport.Totals totals(LocksEndpoint endpoint) throws InterruptedException {
        return report(endpoint, null).totals();
    }

    private static LocksReport.Registry report(LocksEndpoint endpoint, Boolean history) throws InterruptedException {
        Map<String, LocksReport.Registry> registries =
                endpoint.locks(null, null, null, null, history, null).registries();
        return Objects.requireNonNull(registries.get(REGISTRY));
    }
}
