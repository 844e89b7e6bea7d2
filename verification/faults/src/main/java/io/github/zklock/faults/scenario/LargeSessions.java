package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant.Surface;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A process that acquires very many locks, and dies. ZooKeeper deletes the nodes of a session in one transaction
 * ({@code PrepRequestProcessor}, {@code closeSession}), which lists all their paths. Servers that receive a transaction
 * beyond {@code jute.maxbuffer}, 1 MB, cannot read it, neither from the leader nor from their disks (ZOOKEEPER-4306).
 */
public class LargeSessions {

    private static final Duration MINUTES = Duration.ofMinutes(5);
    /** What a server says that cannot read a transaction. */
    private static final List<String> LAST_WORDS = List.of("Unreasonable length", "Unable to load database on disk");

    /** A refusal names the budget and what is in use. */
    private static final String NUMBERS = ".*\\d.*\\d.*";

    private static final String LARGE_HEAP = "-Xmx320m";

    @FaultScenario(
            value = "L24",
            grants = 2,
            together = 1,
            faults = 1,
            ownServers = true,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void theServersOutliveAProcessWithManyLocksOfLongNames(Stage stage) throws InterruptedException {
        amassAndDie(stage, 12_000, 160, 1_000);
    }

    @FaultScenario(
            value = "L24",
            tier = Tier.ALL,
            grants = 2,
            together = 1,
            faults = 1,
            ownServers = true,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void theServersOutliveAProcessWithVeryManyLocks(Stage stage) throws InterruptedException {
        amassAndDie(stage, 100_000, 8, 2_000);
    }

    private static void amassAndDie(Stage stage, int locks, int length, int least) throws InterruptedException {
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess many = stage.client("many", servers, Equipment.withOptions(LARGE_HEAP));
        ClientProcess other = stage.client("other", servers);
        stage.awaitReady();
        Event begun = stage.note("many", Kind.NOTED, "locks", locks);
        many.order("amass " + locks + " " + length);
        Awaitility.await("an answer to each of " + locks + " requests for a lock")
                .atMost(MINUTES)
                .until(() -> stage.timeline()
                                .count(event -> event.is(Kind.NOTED, many.name())
                                        && event.fields().containsKey("granted")
                                        && event.at() > begun.at())
                        > 0);
        Event answered = stage.timeline()
                .await(
                        "an answer",
                        begun.at(),
                        event -> event.is(Kind.NOTED, many.name())
                                && event.fields().containsKey("granted"));
        assertThat(answered.number("granted")).as("grants among %s", answered).isGreaterThanOrEqualTo(least);
        if (answered.number("granted") < locks) {
            assertThat(answered.text("refusal")).as("what a refusal says").matches(NUMBERS);
        }

        stage.kill(many);
        awaitGone(stage);
        stage.heal();
        stage.hold(other);
        stage.release(other);
        stage.hold(other);
    }

    private static void awaitGone(Stage stage) {
        Awaitility.await("no seats of a process that was killed")
                .atMost(Stage.PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    stage.ensemble().servers().forEach(LargeSessions::requireReads);
                    return stage.ensemble().servers().stream().anyMatch(ServerProcess::leads)
                            && stage.seating().seats() == 0;
                });
        stage.ensemble().servers().forEach(LargeSessions::requireReads);
    }

    private static void requireReads(ServerProcess server) {
        try (Stream<String> lines = Files.lines(server.log())) {
            assertThat(lines.filter(line -> LAST_WORDS.stream().anyMatch(line::contains))
                            .findFirst())
                    .as("what %s cannot read", server.name())
                    .isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
