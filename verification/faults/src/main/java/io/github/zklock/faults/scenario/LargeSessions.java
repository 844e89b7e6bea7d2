package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A process that acquires very many locks, and is killed. ZooKeeper deletes the nodes of a session in one transaction
 * ({@code PrepRequestProcessor}, {@code closeSession}), which lists all their paths. Servers that receive a transaction
 * beyond {@code jute.maxbuffer}, 1 MB, cannot read it, neither from the leader nor from their disks (ZOOKEEPER-4306).
 */
public class LargeSessions {

    private static final Duration MINUTES = Duration.ofMinutes(5);
    /** What a server logs if it cannot read a transaction. */
    private static final List<String> LAST_WORDS = List.of("Unreasonable length", "Unable to load database on disk");

    /** A rejection contains the budget and its use. */
    private static final String NUMBERS = ".*\\d.*\\d.*";

    private static final String LARGE_HEAP = "-Xmx320m";

    @FaultScenario(
            value = "L24",
            grants = 2,
            together = 1,
            faults = 1,
            ownServers = true,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void theServersOutliveAProcessWithManyLocksOfLongNames(ScenarioContext context) throws InterruptedException {
        acquireManyAndDie(context, 12_000, 160, 1_000);
    }

    @FaultScenario(
            value = "L24",
            tier = Tier.ALL,
            grants = 2,
            together = 1,
            faults = 1,
            ownServers = true,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void theServersOutliveAProcessWithVeryManyLocks(ScenarioContext context) throws InterruptedException {
        acquireManyAndDie(context, 100_000, 8, 2_000);
    }

    private static void acquireManyAndDie(ScenarioContext context, int locks, int length, int least)
            throws InterruptedException {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess many = context.client("many", servers, ClientOptions.withOptions(LARGE_HEAP));
        ClientProcess other = context.client("other", servers);
        context.awaitReady();
        Event begun = context.note("many", Kind.NOTED, "locks", locks);
        many.send("acquire-many " + locks + " " + length);
        Awaitility.await("an answer to each of " + locks + " requests for a lock")
                .atMost(MINUTES)
                .until(() -> context.timeline()
                                .count(event -> event.is(Kind.NOTED, many.name())
                                        && event.fields().containsKey("granted")
                                        && event.at() > begun.at())
                        > 0);
        Event answered = context.timeline()
                .await(
                        "an answer",
                        begun.at(),
                        event -> event.is(Kind.NOTED, many.name())
                                && event.fields().containsKey("granted"));
        assertThat(answered.number("granted")).as("grants among %s", answered).isGreaterThanOrEqualTo(least);
        if (answered.number("granted") < locks) {
            assertThat(answered.text("refusal")).as("the text of a rejection").matches(NUMBERS);
        }

        context.kill(many);
        awaitGone(context);
        context.heal();
        context.hold(other);
        context.release(other);
        context.hold(other);
    }

    private static void awaitGone(ScenarioContext context) {
        Awaitility.await("no seats of a process that was killed")
                .atMost(ScenarioContext.MAX_WAIT)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    context.ensemble().servers().forEach(LargeSessions::requireReads);
                    return context.ensemble().servers().stream().anyMatch(ServerProcess::leads)
                            && context.queues().seats() == 0;
                });
        context.ensemble().servers().forEach(LargeSessions::requireReads);
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
