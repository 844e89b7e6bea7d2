package io.github.zklock.faults;

import static io.github.zklock.faults.stage.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.stage.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.stage.Variant.Kind.SEMAPHORE;

import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.stage.Variant.Kind;
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
 * Bugs built into copies of our engine, and the scenarios one of which must turn red with them. They are those of the
 * simulation, but for those that the test of this class names.
 */
final class PlantedBugs {

    /**
     * A bug that must be found.
     *
     * @param kind with what kind of lock
     * @param says what is said of it then: the rule that it breaks, or what was waited for in vain
     * @param scenarios in one of these, by their names, or by an id that several have
     */
    record Suspect(String bug, Kind kind, Pattern says, Set<String> scenarios) {

        private static Suspect of(String bug, Kind kind, String says, String... scenarios) {
            return new Suspect(bug, kind, Pattern.compile(says), Set.copyOf(Arrays.asList(scenarios)));
        }

        /** What of a red scenario shows the bug; nothing if it is red for another reason, or says nothing of anybody. */
        Optional<String> evidence(Review review) {
            return review.seriousComplaint().isEmpty()
                    ? Optional.empty()
                    : review.complaint().lines().filter(says.asPredicate()).findFirst();
        }

        boolean mayShowIn(Method script) {
            return (scenarios.contains(script.getName()) || scenarios.contains(Catalogue.id(script)))
                    && Catalogue.kinds(script).contains(kind);
        }
    }

    static final List<Suspect> SUSPECTS = List.of(
            Suspect.of("no-owner-check", EXCLUSIVE, "K2|K5", "S5"),
            Suspect.of(
                    "no-sync-before-the-search",
                    EXCLUSIVE,
                    "GRANTED of next",
                    "anAcquireThatIsGivenUpBeforeTheOthersKnowOfItLeavesNoSeat"),
            Suspect.of(
                    "receive-time-in-the-proof",
                    EXCLUSIVE,
                    "K1|K6",
                    "aLateAnswerProvesNothingOfTheTimeAfterItsRequest"),
            Suspect.of(
                    "no-own-check-after-a-shortcut-grant",
                    EXCLUSIVE,
                    "K6",
                    "aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot"),
            Suspect.of("grant-without-validity", EXCLUSIVE, "K5|K9", "aTurnIsNotPassedOnByAProcessThatCannotProveIt"),
            Suspect.of(
                    "ended-session-taken-for-alive",
                    EXCLUSIVE,
                    "K1|K6",
                    "aHolderWhoseOwnClientIsResetKnowsBeforeItIsTold"),
            Suspect.of(
                    "release-reported-before-it-is-gone",
                    EXCLUSIVE,
                    "the servers were before",
                    "aReleaseIsToldWhenTheServersHaveSeenIt"),
            Suspect.of(
                    "departure-forgotten-after-session-end",
                    EXCLUSIVE,
                    "K9: .* nobody was told",
                    "aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost"),
            Suspect.of(
                    "loss-not-told",
                    EXCLUSIVE,
                    "2 seats|a seat of session|LOST of first",
                    "anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter"),
            Suspect.of(
                    "no-sync-before-the-lookup",
                    EXCLUSIVE,
                    "seats made by one acquire|seats of one holder",
                    "anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat"),
            Suspect.of(
                    "no-sibling-deletion",
                    EXCLUSIVE,
                    "seats made by one acquire|seats of one holder",
                    "anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat"),
            Suspect.of("sequence-number-as-token", EXCLUSIVE, "K5", "S29"),
            Suspect.of(
                    "bound-from-the-last-commit",
                    EXCLUSIVE,
                    "K1|K6",
                    "aCommitThroughAFollowerThatThenStopsProlongsNothing"),
            Suspect.of("bound-from-reads", EXCLUSIVE, "K1|K6", "aCommitThroughAFollowerThatThenStopsProlongsNothing"),
            Suspect.of("any-event-taken-for-a-deletion", EXCLUSIVE, "K1|K5", "S30"),
            Suspect.of("watch-not-set-again", EXCLUSIVE, "GRANTED of first", "S30"),
            Suspect.of("text-order-instead-of-numbers", EXCLUSIVE, "K1|K5", "S29"),
            Suspect.of(
                    "seat-kept-after-timeout-and-cancel",
                    EXCLUSIVE,
                    "READY of holder|GRANTED of (holder|first|second)",
                    "S29"),
            Suspect.of(
                    "no-renewal-after-the-first",
                    EXCLUSIVE,
                    "K9: .* was not held",
                    "aLockThatIsHeldForLongIsNeverInDoubt"),
            Suspect.of(
                    "deleted-seat-not-noticed",
                    EXCLUSIVE,
                    "2 seats|a seat of session|LOST of first",
                    "anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter"),
            Suspect.of("deadline-ignored-while-disconnected", EXCLUSIVE, "an answer to", "S19"),
            Suspect.of("outage-told-as-contention", EXCLUSIVE, "TIMEOUT", "S19"),
            Suspect.of("departure-not-attempted-again", EXCLUSIVE, "a grant of", "S7"),
            Suspect.of("not-listed-again-after-a-reconnect", EXCLUSIVE, "what comes of", "S7"),
            Suspect.of("reader-passes-writers", READ_WRITE, "K1|K5", "S29"),
            Suspect.of("writer-let-in-beside-readers", READ_WRITE, "K1", "S29"),
            Suspect.of("late-readers-join-although-a-writer-waits", READ_WRITE, "GRANTED of holder", "S29"),
            Suspect.of(
                    "seat-passes-a-writer-who-became-a-reader",
                    READ_WRITE,
                    "K1|K5",
                    "aWriterThatBecomesAReaderKeepsWritersOut"),
            Suspect.of(
                    "readers-kept-behind-one-who-only-reads",
                    READ_WRITE,
                    "GRANTED of first",
                    "aWriterThatBecomesAReaderLetsReadersIn"),
            Suspect.of(
                    "downgrade-by-deletion-and-creation",
                    READ_WRITE,
                    "K1|K5",
                    "aWriterThatBecomesAReaderKeepsWritersOut"),
            Suspect.of(
                    "downgrade-in-doubt-taken-for-done",
                    READ_WRITE,
                    "GRANTED of other|K6",
                    "aDowngradeThatTheServersDidNotHearOfIsMadeAgain"),
            Suspect.of(
                    "seat-left-while-it-is-downgraded-deleted-by-its-old-name",
                    READ_WRITE,
                    "GRANTED of other",
                    "aReaderThatLeavesBeforeItsDowngradeIsAnsweredLeavesNoSeat"),
            Suspect.of(
                    "read-hold-without-the-writers-token",
                    READ_WRITE,
                    "token of the reader",
                    "aWriterThatBecomesAReaderKeepsWritersOut"),
            Suspect.of("other-kinds-not-refused", READ_WRITE, "a refusal of", "aWishForAnotherKindOfLockIsRefused"),
            Suspect.of("seats-counted-instead-of-permits", SEMAPHORE, "K1|K5", "S29"),
            Suspect.of("semaphore-waiting-on-one-predecessor", SEMAPHORE, "GRANTED of holder", "S29"),
            Suspect.of("small-wish-passes-a-large-one", SEMAPHORE, "K1|K5|GRANTED of second", "S29"));

    private final Path coreSources;
    private final Path folder;

    /**
     * @param coreSources of the engine as it is
     * @param folder where copies of it are built
     */
    PlantedBugs(Path coreSources, Path folder) {
        this.coreSources = coreSources;
        this.folder = folder;
    }

    /** The scenarios in which a bug may show. */
    static List<Method> scripts(Suspect suspect) {
        return Catalogue.scripts().stream().filter(suspect::mayShowIn).toList();
    }

    /** Builds the engine with a bug; answers what has to stand in front of its class path. */
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
