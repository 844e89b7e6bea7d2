package io.github.zklock.faults;

import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Kind.SEMAPHORE;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.zookeeper.internal.engine.PlantedEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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

        private static Bug of(String name, Kind kind, String expected, String... scenarios) {
            return new Bug(name, kind, Pattern.compile(expected), Set.copyOf(Arrays.asList(scenarios)));
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

    static final List<Bug> ALL = List.of(
            Bug.of("no-owner-check", EXCLUSIVE, "K2|K5", "S5"),
            Bug.of(
                    "no-sync-before-the-search",
                    EXCLUSIVE,
                    // a sweep deletes the seat that is left, after up to two session timeouts
                    "K7: .* was not granted|GRANTED of next",
                    "anAcquireThatIsGivenUpBeforeTheOthersKnowOfItLeavesNoSeat"),
            Bug.of("receive-time-in-the-proof", EXCLUSIVE, "K1|K6", "aLateAnswerProvesNothingOfTheTimeAfterItsRequest"),
            Bug.of(
                    "no-own-check-after-a-shortcut-grant",
                    EXCLUSIVE,
                    "K6",
                    "aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot"),
            Bug.of("grant-without-validity", EXCLUSIVE, "K5|K9", "aTurnIsNotPassedOnByAProcessThatCannotProveIt"),
            Bug.of(
                    "ended-session-taken-for-alive",
                    EXCLUSIVE,
                    "K1|K6",
                    "aHolderWhoseOwnClientIsResetKnowsBeforeItIsTold"),
            Bug.of(
                    "release-reported-before-it-is-gone",
                    EXCLUSIVE,
                    "the servers were before",
                    "aReleaseIsToldWhenTheServersHaveSeenIt"),
            Bug.of(
                    "departure-forgotten-after-session-end",
                    EXCLUSIVE,
                    "K9: .* was not reported",
                    "aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost"),
            Bug.of(
                    "loss-not-told",
                    EXCLUSIVE,
                    "2 seats|a seat of session|LOST of first",
                    "anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter"),
            Bug.of(
                    "no-sync-before-the-lookup",
                    EXCLUSIVE,
                    "seats made by one acquire|seats of one holder",
                    "anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat"),
            Bug.of(
                    "no-sibling-deletion",
                    EXCLUSIVE,
                    "seats made by one acquire|seats of one holder",
                    "anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat"),
            Bug.of("sequence-number-as-token", EXCLUSIVE, "K5", "S29"),
            Bug.of(
                    "bound-from-the-last-commit",
                    EXCLUSIVE,
                    "K1|K6",
                    "aCommitThroughAFollowerThatThenStopsProlongsNothing"),
            Bug.of("bound-from-reads", EXCLUSIVE, "K1|K6", "aCommitThroughAFollowerThatThenStopsProlongsNothing"),
            Bug.of("any-event-taken-for-a-deletion", EXCLUSIVE, "K1|K5", "S30"),
            Bug.of("watch-not-set-again", EXCLUSIVE, "grant of first|GRANTED of first", "S30"),
            Bug.of("text-order-instead-of-numbers", EXCLUSIVE, "K1|K5", "S29"),
            Bug.of(
                    "seat-kept-after-timeout-and-cancel",
                    EXCLUSIVE,
                    "K7: .* was not granted|READY of holder|GRANTED of (holder|first|second)",
                    "S29"),
            Bug.of(
                    "no-renewal-after-the-first",
                    EXCLUSIVE,
                    "K9: .* was not held",
                    "aLockThatIsHeldForLongIsNeverInDoubt"),
            Bug.of(
                    "deleted-seat-not-noticed",
                    EXCLUSIVE,
                    "2 seats|a seat of session|LOST of first",
                    "anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter"),
            Bug.of("deadline-ignored-while-disconnected", EXCLUSIVE, "an answer to", "S19"),
            Bug.of("outage-told-as-contention", EXCLUSIVE, "TIMEOUT", "S19"),
            Bug.of(
                    "departure-not-attempted-again",
                    EXCLUSIVE,
                    "RELEASE_SEEN of holder",
                    "aReleaseWhoseSessionEndsIsReportedOnTheNextSession"),
            Bug.of("reader-passes-writers", READ_WRITE, "K1|K5", "S29"),
            Bug.of("writer-let-in-beside-readers", READ_WRITE, "K1", "S29"),
            Bug.of("late-readers-join-although-a-writer-waits", READ_WRITE, "GRANTED of holder", "S29"),
            Bug.of(
                    "seat-passes-a-writer-who-became-a-reader",
                    READ_WRITE,
                    "K1|K5",
                    "aWriterThatBecomesAReaderKeepsWritersOut"),
            Bug.of(
                    "readers-kept-behind-one-who-only-reads",
                    READ_WRITE,
                    "GRANTED of first",
                    "aWriterThatBecomesAReaderLetsReadersIn"),
            Bug.of(
                    "downgrade-by-deletion-and-creation",
                    READ_WRITE,
                    "K1|K5",
                    "aWriterThatBecomesAReaderKeepsWritersOut"),
            Bug.of(
                    "downgrade-in-doubt-taken-for-done",
                    READ_WRITE,
                    "GRANTED of other|K6",
                    "aDowngradeThatTheServersDidNotHearOfIsMadeAgain"),
            Bug.of(
                    "seat-left-while-it-is-downgraded-deleted-by-its-old-name",
                    READ_WRITE,
                    // as above: a sweep deletes the seat
                    "GRANTED of other|K7: other's call",
                    "aReaderThatLeavesBeforeItsDowngradeIsAnsweredLeavesNoSeat"),
            Bug.of(
                    "read-hold-without-the-writers-token",
                    READ_WRITE,
                    "token of the reader",
                    "aWriterThatBecomesAReaderKeepsWritersOut"),
            Bug.of("other-kinds-not-refused", READ_WRITE, "a refusal of", "aWishForAnotherKindOfLockIsRefused"),
            Bug.of("seats-counted-instead-of-permits", SEMAPHORE, "K1|K5", "S29"),
            Bug.of(
                    "semaphore-waiting-on-one-predecessor",
                    SEMAPHORE,
                    "grant of holder|GRANTED of holder",
                    "aPermitThatComesBackGoesToWhoeverWaitsWhichHolderItIs"),
            Bug.of("small-wish-passes-a-large-one", SEMAPHORE, "K1|K5|GRANTED of second", "S29"),
            Bug.of("own-number-of-permits-counts-alone", SEMAPHORE, "K1|K5", "S33"),
            Bug.of("first-number-of-permits-counts", SEMAPHORE, "K1|K5", "S33"));

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

    /** Returns the scenarios that can show a bug. */
    static List<Method> scenarios(Bug bug) {
        return Scenarios.all().stream().filter(bug::mayShowIn).toList();
    }

    /** Builds the engine with a bug, and returns the entries to put in front of the class path. */
    List<String> build(String bug) {
        Path into = folder.resolve(bug);
        Ensemble.deleteRecursively(into);
        try {
            PlantedEngine.compile(bug, coreSources, into);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot build the engine with " + bug, e);
        }
        return List.of(into.toString());
    }
}
