package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Surface.ANNOTATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ScenarioSkippedException;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.scenario.DatabaseProcess.Count;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.DatabaseServer.Product;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holders that are paused for longer than a session timeout at random instants of transactions that read, compute and
 * write. The environment variable {@code FAULTS_ROUNDS} sets the number of pauses, and {@code FAULTS_DATABASE} the
 * database: {@code h2}, {@code postgresql} or {@code mariadb}.
 */
@Variants(kinds = EXCLUSIVE, surfaces = ANNOTATION)
public class LateWrites {

    private static final int PAUSES = Integer.parseInt(System.getenv().getOrDefault("FAULTS_ROUNDS", "4"));
    private static final String DATABASE = System.getenv().getOrDefault("FAULTS_DATABASE", "h2");

    /** More pauses until something has happened that is likely in each of them. */
    private static final int MOST_PAUSES = 40;

    private static final Duration PAUSE = T.multipliedBy(5).dividedBy(4);

    /** How long a holder works before its transaction begins, and how long the commit takes. */
    private static final int WORK_MILLIS = 40;

    private static final int COMMIT_MILLIS = 120;

    /**
     * No pause begins later, so that none falls between the last answer of the handle and the release. A release that
     * follows a pause at once is sent before the process can detect the loss, and reports none.
     */
    private static final int LATEST_PAUSE_MILLIS = WORK_MILLIS + COMMIT_MILLIS / 2;

    private static final String REJECTED = "Late write rejected";
    private static final String LOWER_TOKEN = " is lower than token ";

    /** As many locks, counters and groups of clients, so that many pauses do not take hours. */
    private static final int LOCKS = PAUSES < 100 ? 1 : 4;

    @FaultScenario(value = "S35", tier = Tier.SMOKE, grants = 20, handOvers = 4, faults = 3)
    public void noUpdateIsLostInFencedTransactions(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database =
                database(context, "-Dzk.lock.fence.jdbc.names=/**", "-Dzk.lock.fence.jdbc.initialize-schema=always")) {
            Holders holders = new Holders(context, database);
            while (holders.pauses < PAUSES || (holders.rejected() == 0 && holders.pauses < MOST_PAUSES)) {
                holders.pause();
                assertThat(holders.lostUpdates())
                        .as("lost updates after %d pauses", holders.pauses)
                        .isZero();
            }

            assertThat(holders.rejected())
                    .as("late writes that the database rejected")
                    .isPositive();
            ScenarioContext.until(
                    "an exception for each late write", () -> holders.rejectedCalls() == holders.rejected());
            holders.report();
        }
    }

    /** The same without the fence: the check of this scenario can fail. */
    @FaultScenario(value = "S35", grants = 5, handOvers = 2, faults = 1)
    public void anUpdateIsLostInTransactionsWithoutAFence(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database = database(context)) {
            Holders holders = new Holders(context, database);
            while (holders.pauses < PAUSES || (holders.lostUpdates() == 0 && holders.pauses < MOST_PAUSES)) {
                holders.pause();
            }

            assertThat(holders.lostUpdates())
                    .as("lost updates after %d pauses", holders.pauses)
                    .isPositive();
            holders.report();
        }
    }

    private static DatabaseProcess database(ScenarioContext context, String... options) throws SQLException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Dfaults.commit-delay=" + COMMIT_MILLIS);
        // the connections of all clients together are fewer than the usual limit of a server
        all.add("-Dspring.datasource.hikari.maximum-pool-size=3");
        return new DatabaseProcess(context, installed(), all);
    }

    private static @Nullable DatabaseServer installed() {
        return DATABASE.equals("h2")
                ? null
                : DatabaseServer.start(Product.valueOf(DATABASE.toUpperCase(Locale.ROOT)))
                        .orElseThrow(() -> new ScenarioSkippedException(DATABASE + " is not installed"));
    }

    /** Three clients for each lock, which hold it in turn and increment its counter. */
    private static final class Holders {

        private final ScenarioContext context;
        private final DatabaseProcess database;
        private final Map<String, List<ClientProcess>> clients = new LinkedHashMap<>();

        private int pauses;

        Holders(ScenarioContext context, DatabaseProcess database) throws SQLException {
            this.context = context;
            this.database = database;
            start(LockSpec.USUAL_LOCK);
            for (int i = 2; i <= LOCKS; i++) {
                String lock = LockSpec.USUAL_LOCK + i;
                database.addCounter(lock);
                start(lock);
            }
            clients.forEach((lock, group) -> group.forEach(
                    client -> client.send("loop 1 " + WORK_MILLIS + " forever " + context.exclusive() + "@" + lock)));
        }

        private void start(String lock) {
            clients.put(
                    lock,
                    Stream.of("one", "two", "three")
                            .map(name -> database.client(name + "-of-" + lock))
                            .toList());
            // a small machine takes too long to start the clients of all locks at once
            context.awaitReady();
        }

        /** Pauses the next holder of each lock somewhere between its grant and the end of its commit. */
        void pause() {
            Map<ClientProcess, Event> paused = new LinkedHashMap<>();
            for (List<ClientProcess> group : clients.values()) {
                ClientProcess holder = awaitHolder(group);
                context.letPass(Duration.ofMillis(context.random().nextInt(LATEST_PAUSE_MILLIS)));
                paused.put(holder, context.pause(holder));
            }
            List<Event> resumed = new ArrayList<>();
            paused.forEach((holder, since) -> {
                context.lastUntil(since, PAUSE);
                resumed.add(context.resume(holder));
            });
            pauses += paused.size();
            // the transactions that waited for the paused ones
            long last = resumed.get(resumed.size() - 1).at();
            all().forEach(client -> context.await(Kind.CLOSED, client, last));
        }

        private ClientProcess awaitHolder(List<ClientProcess> group) {
            Map<String, ClientProcess> byName =
                    group.stream().collect(Collectors.toMap(ClientProcess::name, client -> client));
            Event granted = context.await(
                    "a grant",
                    System.nanoTime(),
                    event -> event.is(Kind.GRANTED) && byName.containsKey(event.source()));
            return Objects.requireNonNull(byName.get(granted.source()));
        }

        /** Returns how many committed steps are missing in the counters. */
        long lostUpdates() throws SQLException {
            long lost = 0;
            for (String lock : clients.keySet()) {
                Count count = database.count(lock);
                lost += count.steps() - count.value();
            }
            return lost;
        }

        /** Returns how many late writes the clients have logged. */
        long rejected() {
            return all().mapToLong(client -> client.logged(REJECTED)).sum();
        }

        /** Returns how many calls have failed because the token in the row was higher than theirs. */
        long rejectedCalls() {
            return context.count(event -> event.is(Kind.CLOSED)
                    && event.text("message").replace('_', ' ').contains(LOWER_TOKEN));
        }

        void report() throws SQLException {
            long steps = 0;
            for (String lock : clients.keySet()) {
                steps += database.count(lock).steps();
            }
            context.note(
                    "late-writes",
                    Kind.MEASURED,
                    "database pauses committed_steps rejected_late_writes lost_updates",
                    DATABASE,
                    pauses,
                    steps,
                    rejected(),
                    lostUpdates());
        }

        private Stream<ClientProcess> all() {
            return clients.values().stream().flatMap(List::stream);
        }
    }
}
