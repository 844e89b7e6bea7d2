package io.github.zklock.faults;

import static io.github.zklock.faults.stage.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.stage.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.stage.Variant.Kind.SEMAPHORE;

import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.stage.Variant.Kind;
import io.github.zklock.zookeeper.PlantedEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Bugs built into copies of our engine, and the scenarios one of which must turn red with them. They are those of the
 * simulation; the ones that are not here need a clock of their own, or a chance that no run of processes has.
 */
final class PlantedBugs {

    /**
     * A bug that must be found.
     *
     * @param kind with what kind of lock
     * @param scenarios in one of these, by their names, or by an id that several have
     */
    record Suspect(String bug, Kind kind, Set<String> scenarios) {

        private static Suspect of(String bug, Kind kind, String... scenarios) {
            return new Suspect(bug, kind, Set.copyOf(Arrays.asList(scenarios)));
        }

        boolean mayShowIn(Method script) {
            return (scenarios.contains(script.getName()) || scenarios.contains(Catalogue.id(script)))
                    && Catalogue.kinds(script).contains(kind);
        }
    }

    static final List<Suspect> SUSPECTS = List.of(
            Suspect.of("no-owner-check", EXCLUSIVE, "S5"),
            Suspect.of(
                    "no-sync-before-the-search",
                    EXCLUSIVE,
                    "anAcquireThatIsGivenUpBeforeTheOthersKnowOfItLeavesNoSeat"),
            Suspect.of("receive-time-in-the-proof", EXCLUSIVE, "aLateAnswerProvesNothingOfTheTimeAfterItsRequest"),
            Suspect.of(
                    "no-own-check-after-a-shortcut-grant",
                    EXCLUSIVE,
                    "aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot"),
            Suspect.of("grant-without-validity", EXCLUSIVE, "aTurnIsNotPassedOnByAProcessThatCannotProveIt"),
            Suspect.of("ended-session-taken-for-alive", EXCLUSIVE, "aHolderWhoseOwnClientIsResetKnowsBeforeItIsTold"),
            Suspect.of("release-reported-before-it-is-gone", EXCLUSIVE, "aReleaseIsToldWhenTheServersHaveSeenIt"),
            Suspect.of(
                    "departure-forgotten-after-session-end",
                    EXCLUSIVE,
                    "aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost"),
            Suspect.of("loss-not-told", EXCLUSIVE, "aRegistryThatIsClosedTellsItsHolders"),
            Suspect.of(
                    "no-sync-before-the-lookup",
                    EXCLUSIVE,
                    "anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat"),
            Suspect.of(
                    "no-sibling-deletion", EXCLUSIVE, "anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat"),
            Suspect.of("sequence-number-as-token", EXCLUSIVE, "S29"),
            Suspect.of("bound-from-the-last-commit", EXCLUSIVE, "aCommitThroughAFollowerThatThenStopsProlongsNothing"),
            Suspect.of("bound-from-reads", EXCLUSIVE, "aCommitThroughAFollowerThatThenStopsProlongsNothing"),
            Suspect.of("any-event-taken-for-a-deletion", EXCLUSIVE, "S30"),
            Suspect.of("watch-not-set-again", EXCLUSIVE, "S30"),
            Suspect.of("text-order-instead-of-numbers", EXCLUSIVE, "S29"),
            Suspect.of("seat-kept-after-timeout-and-cancel", EXCLUSIVE, "S29"),
            Suspect.of(
                    "deleted-seat-not-noticed",
                    EXCLUSIVE,
                    "anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter"),
            Suspect.of("deadline-ignored-while-disconnected", EXCLUSIVE, "S19"),
            Suspect.of("outage-told-as-contention", EXCLUSIVE, "S19"),
            Suspect.of("departure-not-attempted-again", EXCLUSIVE, "S7"),
            Suspect.of("not-listed-again-after-a-reconnect", EXCLUSIVE, "S7"),
            Suspect.of("reader-passes-writers", READ_WRITE, "S29"),
            Suspect.of("turn-taken-without-reading-the-queue-again", READ_WRITE, "S29"),
            Suspect.of("writer-let-in-beside-readers", READ_WRITE, "S29"),
            Suspect.of("late-readers-join-although-a-writer-waits", READ_WRITE, "S29"),
            Suspect.of("writer-passes-one-who-became-a-reader", READ_WRITE, "aWriterThatBecomesAReaderKeepsWritersOut"),
            Suspect.of("readers-kept-behind-one-who-only-reads", READ_WRITE, "aWriterThatBecomesAReaderLetsReadersIn"),
            Suspect.of("downgrade-by-deletion-and-creation", READ_WRITE, "aWriterThatBecomesAReaderKeepsWritersOut"),
            Suspect.of(
                    "downgrade-in-doubt-taken-for-done", READ_WRITE, "aDowngradeThatTheServersDidNotHearOfIsMadeAgain"),
            Suspect.of(
                    "seat-left-while-it-is-downgraded-deleted-by-its-old-name",
                    READ_WRITE,
                    "aReaderThatLeavesBeforeItsDowngradeIsAnsweredLeavesNoSeat"),
            Suspect.of("read-hold-without-the-writers-token", READ_WRITE, "aWriterThatBecomesAReaderKeepsWritersOut"),
            Suspect.of("other-kinds-not-refused", READ_WRITE, "aWishForAnotherKindOfLockIsRefused"),
            Suspect.of("seats-counted-instead-of-permits", SEMAPHORE, "S29"),
            Suspect.of("semaphore-waiting-on-one-predecessor", SEMAPHORE, "S29"),
            Suspect.of("next-one-not-woken-by-a-grant", SEMAPHORE, "S29"),
            Suspect.of("small-wish-passes-a-large-one", SEMAPHORE, "S29"));

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
