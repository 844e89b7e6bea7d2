package com.example.ordershop.demo.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.demo.process.ShopCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs each scenario once, in real processes. The scenario that kills a shop is the last one, because shops take long
 * to start.
 */
@Tag("processes")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemonstrationTest {

    private static final List<String> LINES = new CopyOnWriteArrayList<>();
    private static ShopCluster cluster;

    @BeforeAll
    static void open() throws InterruptedException {
        cluster = ShopCluster.open(LINES::add);
    }

    @AfterAll
    static void everythingIsGoneAfterwards() throws InterruptedException {
        List<ProcessHandle> children = cluster.processes();
        Path folder = cluster.folder();

        cluster.close();

        assertThat(children).hasSize(3).noneMatch(ProcessHandle::isAlive);
        assertThat(folder).doesNotExist();
    }

    @Test
    @Order(1)
    void withoutTheLockOrdersAreLost() throws InterruptedException {
        Verdict verdict = Scenario.OFF.run(cluster, 2);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text()).startsWith("wrong totals in 2 of 2 runs").contains("400 orders completed");
        assertThat(LINES).anyMatch(line -> line.matches("run 2 of 2: expected 200, found \\d+, lost [1-9]\\d*"));
    }

    @Test
    @Order(2)
    void underTheLockEveryOrderIsCounted() throws InterruptedException {
        Verdict verdict = Scenario.ON.run(cluster, 2);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text())
                .startsWith("right totals in 2 of 2 runs: 400 orders completed, 400 in the statistics, 0 lost;")
                .contains(" orders/s;");
    }

    @Test
    @Order(3)
    void tenClientsAreServedInTheOrderOfTheirQueue() throws InterruptedException {
        Verdict verdict = Scenario.QUEUE.run(cluster, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(LINES).anyMatch(line -> line.startsWith("all clients are in the queue: client-1 "));
        assertThat(LINES).filteredOn(line -> line.contains("holds the lock")).hasSize(10);
    }

    @Test
    @Order(4)
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "SKIPPED: no SIGSTOP")
    void theLateWriteOfAPausedHolderIsRejectedAndTheLossReported() throws InterruptedException {
        Verdict verdict = Scenario.PAUSED.run(cluster, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text())
                .contains("was rejected", "the holder received the loss", "expected 2, found 2, lost 0");
    }

    @Test
    @Order(5)
    void aLockOutlivesItsKilledHolderOnlyUntilTheSessionEnds() throws InterruptedException {
        Verdict verdict = Scenario.KILLED.run(cluster, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text()).contains("no partial write", "expected 2, found 2, lost 0");
    }
}
