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
import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.DatabaseServer.Product;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Holders that are paused for longer than a session timeout at random instants of transactions that read, compute and
 * write. The environment variable {@code FAULTS_ROUNDS} sets the number of pauses, and {@code FAULTS_DATABASE} the
 * database: {@code h2}, {@code postgresql} or {@code mariadb}.
 */
@Variants(kinds = EXCLUSIVE, surfaces = ANNOTATION)
public class LateWrites {

    private static final int ROUNDS = Integer.parseInt(System.getenv().getOrDefault("FAULTS_ROUNDS", "4"));
    private static final String DATABASE = System.getenv().getOrDefault("FAULTS_DATABASE", "h2");

    /** More rounds until something has happened that is likely in each of them. */
    private static final int MOST_ROUNDS = 40;

    private static final Duration PAUSE = T.multipliedBy(5).dividedBy(4);

    /** How long a holder works before its transaction begins, and how long the commit takes. */
    private static final int WORK_MILLIS = 40;

    private static final int COMMIT_MILLIS = 60;

    /**
     * No pause begins later, so that none falls between the last answer of the handle and the release. A release that
     * follows a pause at once is sent before the process can detect the loss, and reports none.
     */
    private static final int LATEST_PAUSE_MILLIS = WORK_MILLIS + COMMIT_MILLIS - 20;

    private static final String REJECTED = "Late write rejected";

    @FaultScenario(value = "S35", tier = Tier.SMOKE, grants = 20, handOvers = 4, faults = 3)
    public void noUpdateIsLostInFencedTransactions(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database =
                database(context, "-Dzk.lock.fence.jdbc.names=/**", "-Dzk.lock.fence.jdbc.initialize-schema=always")) {
            List<ClientProcess> clients = clients(context, database);
            int rounds = 0;
            while (rounds < ROUNDS || (rejected(clients) == 0 && rounds < MOST_ROUNDS)) {
                pauseAHolder(context, clients);
                rounds++;
                Count count = database.count();
                assertThat(count.value()).as("counter after %d pauses", rounds).isEqualTo(count.steps());
            }

            assertThat(rejected(clients))
                    .as("late writes that the database rejected")
                    .isPositive();
            System.out.printf("%d pauses, %d late writes rejected%n", rounds, rejected(clients));
        }
    }

    /** The same without the fence: the check of this scenario can fail. */
    @FaultScenario(value = "S35", grants = 5, handOvers = 2, faults = 1)
    public void anUpdateIsLostInTransactionsWithoutAFence(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database = database(context)) {
            List<ClientProcess> clients = clients(context, database);
            int rounds = 0;
            Count count = new Count(0, 0);
            while (count.value() == count.steps() && rounds < MOST_ROUNDS) {
                pauseAHolder(context, clients);
                rounds++;
                count = database.count();
            }

            assertThat(count.value()).as("counter after %d pauses", rounds).isLessThan(count.steps());
        }
    }

    private static DatabaseProcess database(ScenarioContext context, String... options) throws SQLException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Dfaults.commit-delay=" + COMMIT_MILLIS);
        return new DatabaseProcess(context, installed(), all);
    }

    private static @Nullable DatabaseServer installed() {
        return DATABASE.equals("h2")
                ? null
                : DatabaseServer.start(Product.valueOf(DATABASE.toUpperCase(Locale.ROOT)))
                        .orElseThrow(() -> new ScenarioSkippedException(DATABASE + " is not installed"));
    }

    private static List<ClientProcess> clients(ScenarioContext context, DatabaseProcess database) {
        List<ClientProcess> clients = List.of(database.client("one"), database.client("two"), database.client("three"));
        context.awaitReady();
        clients.forEach(client -> client.send("loop 1 " + WORK_MILLIS + " forever " + context.exclusive()));
        return clients;
    }

    /** Pauses the next holder somewhere between its grant and the end of its commit. */
    private static void pauseAHolder(ScenarioContext context, List<ClientProcess> clients) {
        long begun = System.nanoTime();
        Event granted = context.await("a grant", begun, event -> event.is(Kind.GRANTED));
        ClientProcess holder = clients.stream()
                .filter(client -> granted.is(Kind.GRANTED, client.name()))
                .findFirst()
                .orElseThrow();
        context.letPass(Duration.ofMillis(context.random().nextInt(LATEST_PAUSE_MILLIS)));
        Event resumed = context.pauseFor(holder, PAUSE);
        // the transactions that waited for the paused one
        clients.forEach(client -> context.await(Kind.CLOSED, client, resumed.at()));
    }

    private static long rejected(List<ClientProcess> clients) {
        return clients.stream().mapToLong(client -> client.logged(REJECTED)).sum();
    }
}
