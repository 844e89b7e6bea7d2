package io.github.zklock.faults;

import io.github.zklock.faults.ScenarioResult.Outcome;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.zookeeper.internal.engine.PlantedEngine;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;

/**
 * Bugs that are built into copies of our engine, with the scenarios of which one must fail. The bugs are those of the
 * simulation, except the ones that {@code PlantedBugsTest} lists.
 */
final class PlantedBugs {

    /**
     * A planted bug.
     *
     * @param kind the kind of lock that shows the bug
     * @param expected a pattern that a finding must match: the broken rule, or the event that did not occur
     * @param scenarios the scenarios that can show the bug, by name or by id
     */
    record Bug(String name, Kind kind, Pattern expected, Set<String> scenarios) {

        private static Bug parse(String line) {
            String[] parts = line.split("; *", -1);
            return new Bug(
                    parts[0], Kind.valueOf(parts[1]), Pattern.compile(parts[2]), Set.of(parts[3].split(" ", -1)));
        }

        /**
         * Returns the finding that shows the bug. Empty if the scenario passed, failed for another reason, or had too
         * few events.
         */
        Optional<String> evidence(ScenarioResult result) {
            return result.firstFinding().isEmpty()
                    ? Optional.empty()
                    : result.findings().lines().filter(expected.asPredicate()).findFirst();
        }

        boolean mayShowIn(Method scenario) {
            return (scenarios.contains(scenario.getName()) || scenarios.contains(Scenarios.id(scenario)))
                    && Scenarios.kinds(scenario).contains(kind);
        }
    }

    /*
     * One bug a line: name; kind; pattern; scenarios. Where a seat is left behind, K7 is among the expected findings: a
     * sweep deletes the seat after up to two session timeouts.
     */
    private static final String TABLE = """
        no-owner-check; EXCLUSIVE; K2|K5; S5
        no-sync-before-the-search; EXCLUSIVE; \
                K7: .* was not granted|GRANTED of next|seats made by one acquire|seats of one holder; \
                anAcquireThatIsGivenUpBeforeTheOthersKnowOfItLeavesNoSeat anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat
        receive-time-in-the-proof; EXCLUSIVE; K1|K6; aLateAnswerProvesNothingOfTheTimeAfterItsRequest
        no-own-check-after-a-shortcut-grant; EXCLUSIVE; \
                K6; aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot
        grant-without-validity; EXCLUSIVE; K5|K9; aTurnIsNotPassedOnByAProcessThatCannotProveIt
        release-reported-before-it-is-gone; EXCLUSIVE; \
                the servers were before; aReleaseIsToldWhenTheServersHaveSeenIt
        departure-forgotten-after-session-end; EXCLUSIVE; \
                K9: .* was not reported; aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost
        loss-not-told; EXCLUSIVE; \
                2 seats|a seat of session|LOST of first; anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter
        no-sibling-deletion; EXCLUSIVE; \
                seats made by one acquire|seats of one holder; anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat
        sequence-number-as-token; EXCLUSIVE; K5; S29
        bound-from-the-last-commit; EXCLUSIVE; K1|K6; aCommitThroughAFollowerThatThenStopsProlongsNothing
        bound-from-reads; EXCLUSIVE; K1|K6; aCommitThroughAFollowerThatThenStopsProlongsNothing
        bucket-taken-for-closed-after-a-quarter; EXCLUSIVE; K1; M34
        any-event-taken-for-a-deletion; EXCLUSIVE; K1|K5; S30
        watch-not-set-again; EXCLUSIVE; grant of first|GRANTED of first; S30
        text-order-instead-of-numbers; EXCLUSIVE; K1|K5; S29
        seat-kept-after-timeout-and-cancel; EXCLUSIVE; \
                K7: .* was not granted|READY of holder|GRANTED of (holder|first|second); S29
        no-renewal-after-the-first; EXCLUSIVE; K9: .* was not held; aLockThatIsHeldForLongIsNeverInDoubt
        deleted-seat-not-noticed; EXCLUSIVE; \
                2 seats|a seat of session|LOST of first; anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter
        deadline-ignored-while-disconnected; EXCLUSIVE; an answer to; S19
        outage-told-as-contention; EXCLUSIVE; TIMEOUT; S19
        departure-not-attempted-again; EXCLUSIVE; \
                RELEASE_SEEN of holder; aReleaseWhoseSessionEndsIsReportedOnTheNextSession
        reader-passes-writers; READ_WRITE; K1|K5; S29
        writer-let-in-beside-readers; READ_WRITE; K1; S29
        late-readers-join-although-a-writer-waits; READ_WRITE; GRANTED of holder; S29
        seat-passes-a-writer-who-became-a-reader; READ_WRITE; K1|K5; aWriterThatBecomesAReaderKeepsWritersOut
        readers-kept-behind-one-who-only-reads; READ_WRITE; \
                GRANTED of first; aWriterThatBecomesAReaderLetsReadersIn
        downgrade-by-deletion-and-creation; READ_WRITE; K1|K5; aWriterThatBecomesAReaderKeepsWritersOut
        downgrade-in-doubt-taken-for-done; READ_WRITE; \
                GRANTED of other|K6; aDowngradeThatTheServersDidNotHearOfIsMadeAgain
        seat-left-while-it-is-downgraded-deleted-by-its-old-name; READ_WRITE; \
                GRANTED of other|K7: other's call; aReaderThatLeavesBeforeItsDowngradeIsAnsweredLeavesNoSeat
        read-hold-without-the-writers-token; READ_WRITE; \
                token of the reader; aWriterThatBecomesAReaderKeepsWritersOut
        other-kinds-not-refused; READ_WRITE; a refusal of; aWishForAnotherKindOfLockIsRefused
        seats-counted-instead-of-permits; SEMAPHORE; K1|K5; S29
        semaphore-waiting-on-one-predecessor; SEMAPHORE; \
                grant of holder|GRANTED of holder; aPermitThatComesBackGoesToWhoeverWaitsWhichHolderItIs
        small-wish-passes-a-large-one; SEMAPHORE; K1|K5|GRANTED of second; S29
        own-number-of-permits-counts-alone; SEMAPHORE; K1|K5; S33
        first-number-of-permits-counts; SEMAPHORE; K1|K5; S33
        """;

    static final List<Bug> ALL = TABLE.lines().map(Bug::parse).toList();

    private final Path coreSources;
    private final Path folder;

    /**
     * @param coreSources the sources of the unchanged engine
     * @param folder where the changed engines are built
     */
    PlantedBugs(Path coreSources, Path folder) {
        this.coreSources = coreSources;
        this.folder = folder;
    }

    static List<Method> scenarios(Bug bug) {
        return Scenarios.all().stream().filter(bug::mayShowIn).toList();
    }

    /** Builds the engine with a bug, and returns the entries to put in front of the class path. */
    List<String> build(String bug) {
        Path into = folder.resolve(bug);
        try {
            FileUtils.deleteDirectory(into.toFile());
            PlantedEngine.compile(bug, coreSources, into);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot build the engine with " + bug, e);
        }
        return List.of(into.toString());
    }

    /**
     * Checks that the scenarios detect each planted bug. A bug is detected if a scenario fails with the expected
     * finding, and passes without the bug. Returns whether all were found.
     */
    boolean check(Plan plan, ScenarioRunner runner, PrintStream out) {
        List<Bug> bugs =
                ALL.stream().filter(bug -> plan.options().includes(bug.name())).toList();
        Map<String, ScenarioResult> withoutBug = new HashMap<>();
        int found = 0;
        for (Bug bug : bugs) {
            if (isFound(bug, plan, runner, withoutBug, out)) {
                found++;
            } else {
                out.printf("MISSED %s: %s did not find it%n", bug.name(), bug.scenarios());
            }
        }
        out.printf("%d of %d planted bugs found%n", found, bugs.size());
        return found == bugs.size() && found > 0;
    }

    private boolean isFound(
            Bug bug, Plan plan, ScenarioRunner runner, Map<String, ScenarioResult> withoutBug, PrintStream out) {
        Plan planted = plan.with(build(bug.name()));
        for (Method scenario : scenarios(bug)) {
            ScenarioResult result = runner.execute(planted.usual(scenario, bug.kind()));
            Optional<String> evidence = bug.evidence(result);
            if (result.outcome() == Outcome.PASSED) {
                continue;
            }
            if (evidence.isEmpty()) {
                out.printf("failed for another reason: %s: %s%n", scenario.getName(), result.findings());
                continue;
            }
            ScenarioResult without = withoutBug.computeIfAbsent(
                    bug.kind() + scenario.getName(), key -> runner.execute(plan.usual(scenario, bug.kind())));
            if (without.outcome() == Outcome.PASSED) {
                String id = Scenarios.id(scenario);
                out.printf("found  %s: %s %s: %s%n", bug.name(), id, scenario.getName(), evidence.get());
                return true;
            }
            out.printf("fails without the bug, too: %s: %s%n", scenario.getName(), without.findings());
        }
        return false;
    }
}
