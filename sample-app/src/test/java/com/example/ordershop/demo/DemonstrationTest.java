package com.example.ordershop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Each scenario once, in real processes. The one that kills a shop is last: shops take the longest to start. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemonstrationTest {

    private static final Load SMALL = new Load(2, 8, 15);

    private static final Notes NOTES = new Notes();
    private static Stage stage;

    @BeforeAll
    static void open() throws InterruptedException {
        stage = Stage.open(NOTES);
    }

    @AfterAll
    static void everythingIsGoneAfterwards() throws InterruptedException {
        List<ProcessHandle> children = stage.processes();
        Path folder = stage.folder();

        stage.close();

        assertThat(children).hasSize(3).noneMatch(ProcessHandle::isAlive);
        assertThat(folder).doesNotExist();
    }

    @Test
    @Order(1)
    void withoutTheLockOrdersAreLost() throws InterruptedException {
        Verdict verdict = Scenario.OFF.play(stage, SMALL, 2);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text()).startsWith("wrong totals in 2 of 2 runs").contains("240 orders completed");
        assertThat(NOTES.lines).anyMatch(line -> line.matches("run 2 of 2: expected 120, found \\d+, lost [1-9]\\d*"));
        assertThat(NOTES.orders).hasValue(240);
    }

    @Test
    @Order(2)
    void underTheLockEveryOrderIsCounted() throws InterruptedException {
        Verdict verdict = Scenario.ON.play(stage, SMALL, 2);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text())
                .startsWith("right totals in 2 of 2 runs: 240 orders completed, 240 in the statistics, 0 lost;")
                .contains(" orders/s;");
    }

    @Test
    @Order(3)
    void tenClientsAreServedInTheOrderOfTheirQueue() throws InterruptedException {
        Verdict verdict = Scenario.QUEUE.play(stage, SMALL, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(NOTES.lines).anyMatch(line -> line.startsWith("all are in line: client-1 "));
        assertThat(NOTES.lines)
                .filteredOn(line -> line.contains("holds the lock"))
                .hasSize(10);
    }

    @Test
    @Order(4)
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "SKIPPED: no SIGSTOP")
    void theLateWriteOfAPausedHolderIsRefusedAndItIsTold() throws InterruptedException {
        Verdict verdict = Scenario.PAUSED.play(stage, SMALL, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text())
                .contains("was refused", "1 stale write refused", "the holder was told", "expected 2, found 2, lost 0");
    }

    @Test
    @Order(5)
    void aLockOutlivesItsKilledHolderOnlyUntilTheSessionEnds() throws InterruptedException {
        Verdict verdict = Scenario.KILLED.play(stage, SMALL, 1);

        assertThat(verdict.passed()).as(verdict.text()).isTrue();
        assertThat(verdict.text()).contains("nothing half done", "expected 2, found 2, lost 0");
    }

    @Test
    @Order(6)
    void aShopThatIsGoneFailsTheScenarioAndSaysSo() throws InterruptedException {
        ShopProcess gone = ShopProcess.start(
                "shop-3",
                stage.folder(),
                new Servers(stage.servers().zookeeper(), "jdbc:h2:mem:x;IFEXISTS=TRUE", "", ""),
                Stage.BASE_PATH,
                Stage.SESSION_TIMEOUT);

        assertThatThrownBy(gone::awaitOpen)
                .isInstanceOf(StageException.class)
                .hasMessageContaining("shop-3 (pid " + gone.pid() + ") has ended with exit code 1")
                .hasMessageContaining("Its last words:");
        assertThatThrownBy(gone::client).isInstanceOf(IllegalStateException.class);
    }
}
