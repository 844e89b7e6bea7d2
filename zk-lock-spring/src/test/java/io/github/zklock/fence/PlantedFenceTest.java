package io.github.zklock.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.ReloadingLoader;
import io.github.zklock.zookeeper.internal.engine.Plant;
import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import io.github.zklock.zookeeper.internal.engine.PlantCompiler;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Bugs in fenced transactions. The test that is stored for a bug, run on H2 on classes with the bug, has to fail. */
@Tag("planted-bugs")
class PlantedFenceTest {

    private static final String OURS = "io.github.zklock";
    private static final PlantCompiler COMPILER = new PlantCompiler(Path.of("src", "main", "java"), OURS);

    private static final String CONDITION = "\" set token = ?, holder = ?, raised_at = ? where lock_name = ? and %s\"";

    static List<Arguments> bugs() {
        return List.of(
                bug("aHolderThatWasOvertakenDoesNotWork", "condition of the raise inverted", condition("token >= ?")),
                bug("aHolderThatWasOvertakenDoesNotWork", "condition of the raise left out", condition("? > 0")),
                bug(
                        "theTransactionOfALaterHolderWaitsAndReadsWhatTheEarlierOneWrote",
                        "row compared and not locked",
                        new Edit(
                                "FenceTable.raise",
                                "known.contains(lock) && update(connection, lock, token, holder, maxSeconds)",
                                "known.contains(lock) && read(connection, lock, maxSeconds)"
                                        + ".filter(row -> row.token() <= token).isPresent()")),
                bug(
                        "anOutageOfZooKeeperBetweenBeginAndCommitRollsTheRowBack",
                        "raise in a transaction of its own",
                        new Edit(
                                "FenceTable.update",
                                "return statement.executeUpdate() > 0;",
                                "int rows = statement.executeUpdate(); connection.commit(); return rows > 0;")),
                bug(
                        "aRowThatWasRaisedInASavepointIsRaisedAgainAfterItsRollback",
                        "rollback to a savepoint forgotten",
                        Edit.delete("RaisedRows.savepointRollback", "tokens.clear();"),
                        new Edit(
                                "FencedDataSource.ensureRaised",
                                "rows.isRaisedInside(handle.name())",
                                "handle == null")),
                bug(
                        "aTransactionInsideAnotherOneUnderTheSameLockDoesNotWaitForIt",
                        "row of a suspended transaction not seen",
                        new Edit("RaisedRows.ofSuspended", "rows.transaction != current", "rows.transaction == null")),
                bug(
                        "aTransactionInsideAnotherOneIsRejectedIfTheOtherOneNoLongerLocksTheRow",
                        "row of a suspended transaction not proven before the commit",
                        new Edit(
                                "FencedDataSource.ensureRaised",
                                "raise(handle, holder, transaction);",
                                "if (rows.isUndone(handle.name())) { raise(handle, holder, transaction); }")),
                bug(
                        "aHolderThatWasOvertakenDoesNotWork",
                        "rejected transaction not rolled back",
                        new Edit(
                                "FencedTransactions.rollBack",
                                "manager.rollback(withoutSuspended);",
                                "withoutSuspended.setRollbackOnly();")),
                bug(
                        "aRejectedTransactionLeavesTheOneAroundItIntact",
                        "transaction around a rejected one resumed twice",
                        new Edit(
                                "FencedTransactions.rollBack",
                                "manager.rollback(withoutSuspended);",
                                "manager.rollback(begun);")),
                bug(
                        "severalLocksAreRaisedInTheOrderOfTheirNames",
                        "locks raised in another order",
                        new Edit(
                                "JdbcFence.inOrder",
                                "Comparator.comparing((LockHandle each) -> each.name().value())",
                                "Comparator.comparing((LockHandle each) -> each.name().value()).reversed()")),
                bug(
                        "readersAndPermitsAreNotFenced",
                        "readers fenced",
                        new Edit(
                                "JdbcFence.covers",
                                "(kind == LockKind.EXCLUSIVE || kind == LockKind.WRITE)",
                                "kind != null")),
                bug(
                        "tokensThatHaveFallenAreAnErrorThatNamesTheRemedy",
                        "no remedy for tokens that have fallen",
                        new Edit(
                                "FencedDataSource.rejection",
                                "handle.isHeld() ? message + remedyForFallenTokens(lock) : message",
                                "message")),
                bug(
                        "aLockThatAMethodAcquiresInsideATransactionFencesTheRestOfIt",
                        "lock acquired inside a transaction not raised",
                        Edit.delete("ThreadTransactionTie.fence", "fence.get().acquired(acquired);")),
                bug(
                        "aLockThatCodeAcquiresInsideATransactionPreventsItsCommit",
                        "commit under a lock whose row was not raised",
                        new Edit("FencedDataSource.ensureRaised", "!rows.isUndone(handle.name())", "handle == null")),
                bug(
                        "readOnlyTransactionsAreNotFenced",
                        "read-only transactions fenced",
                        Edit.delete("FencedTransactions.afterBegin", "|| execution.isReadOnly()")),
                bug(
                        "aTransactionThatHasToCommitAfterALossIsNotFenced",
                        "exempt transactions fenced",
                        Edit.delete(
                                "FencedTransactions.afterBegin",
                                "|| ExemptionAdvisor.concerns(execution.getTransactionName())")),
                attacked(
                        "anEarlierHolderIsRejectedAfterATransactionInsideOneThatWasRolledBack",
                        "row not raised again after the rollback of the transaction around a committed one",
                        Edit.delete("RaisedRows.afterCompletion", "ofOthers.forEach(Runnable::run);")),
                attacked(
                        "aRowThatWasRaisedInASavepointOfTheConnectionIsRaisedAgain",
                        "savepoint of the connection not expected",
                        new Edit(
                                "FencedDataSource.ensureRaised",
                                "rows.isRaisedInside(handle.name())",
                                "handle == null")),
                attacked(
                        "aTransactionInsideAnotherOneDoesNotWaitForItAfterASavepointWasRolledBack",
                        "row of a suspended transaction not seen after a savepoint",
                        Edit.delete("RaisedRows.ofSuspended", "|| rows.isUndone(lock)")),
                attacked(
                        "aTransactionAfterTheCommitOfTheOneAroundItLocksTheRow",
                        "row of a committed transaction taken for locked",
                        Edit.delete("RaisedRows.ofSuspended", "&& source.isInTransaction(rows.transaction)")),
                attacked(
                        "aLockThatIsAcquiredTwiceInATransactionRaisesTheRowToTheHigherToken",
                        "row with any token taken for raised",
                        new Edit(
                                "RaisedRows.hasRaised",
                                "tokens.getOrDefault(lock, 0L) >= token",
                                "tokens.containsKey(lock)")),
                attacked(
                        "aLongNameOfTheInstanceIsCutBetweenCharacters",
                        "name of the holder cut inside a character",
                        new Edit(
                                "JdbcFence.holder",
                                "Character.isHighSurrogate(holder.charAt(LONGEST_HOLDER - 1)) ? LONGEST_HOLDER - 1 : LONGEST_HOLDER",
                                "LONGEST_HOLDER")),
                attacked(
                        "theRemedyForFallenTokensIsAStatementAlsoIfTheNameHasAQuote",
                        "quote in the remedy",
                        Edit.delete("FencedDataSource.remedyForFallenTokens", ".replace(\"'\", \"''\")")),
                Arguments.of(
                        new Plant(
                                "lock inside transactions of two data sources raised in one",
                                new Edit(
                                        "JdbcFence.acquired",
                                        "for (FencedDataSource dataSource : dataSources) {",
                                        "for (FencedDataSource dataSource : dataSources.subList(0, 1)) {")),
                        FenceWiringAttackTest.class,
                        "aLockInsideTransactionsOfTwoDataSourcesRaisesBothRows"));
    }

    private static Edit condition(String other) {
        return new Edit("FenceTable.<init>", CONDITION.formatted("token <= ?"), CONDITION.formatted(other));
    }

    private static Arguments bug(String test, String name, Edit... edits) {
        return Arguments.of(new Plant(name, edits), FencedOnH2Test.class, test);
    }

    /** A bug that only the attacks on the fence have found. */
    private static Arguments attacked(String test, String name, Edit... edits) {
        return Arguments.of(new Plant(name, edits), FenceAttackOnH2Test.class, test);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void bugIsFound(Plant bug, Class<?> tests, String test) throws Exception {
        Map<String, byte[]> planted = COMPILER.compile(bug);

        assertThat(failures(planted, tests, test)).as("failures of %s", test).isPositive();
        assertThat(failures(Map.of(), tests, test)).as("without the bug").isZero();
    }

    /** Runs a test in a new thread and on a new database, because a bug may leave an open transaction on both. */
    private static long failures(Map<String, byte[]> planted, Class<?> tests, String test) throws Exception {
        try (Actor runner = new Actor("planted")) {
            return runner.run(() -> failuresHere(planted, tests, test));
        } finally {
            for (String url : List.of(FencedOnH2Test.URL, FenceAttackOnH2Test.URL)) {
                try (Connection connection = DriverManager.getConnection(url);
                        Statement statement = connection.createStatement()) {
                    statement.execute("shutdown immediately");
                }
            }
        }
    }

    private static long failuresHere(Map<String, byte[]> planted, Class<?> original, String test) throws Exception {
        PlantedLoader loader = new PlantedLoader(planted);
        // Spring loads the classes of an application with it
        Thread.currentThread().setContextClassLoader(loader);
        Class<?> tests = loader.loadClass(original.getName());
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(Stream.of(tests, tests.getSuperclass())
                                        .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                                        .filter(method -> method.getName().equals(test))
                                        .map(method -> selectMethod(tests, method))
                                        .toList())
                                .build(),
                        listener);
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).as("tests %s", test).isPositive();
        return summary.getTotalFailureCount();
    }

    /** Loads our classes anew, with the planted ones in place of their originals. */
    private static final class PlantedLoader extends ReloadingLoader {

        private final Map<String, byte[]> planted;

        PlantedLoader(Map<String, byte[]> planted) {
            super("planted", OURS + ".");
            this.planted = planted;
        }

        @Override
        protected byte[] codeOf(String name) throws ClassNotFoundException {
            byte[] code = planted.get(name);
            return code == null ? original(name) : code;
        }
    }
}
