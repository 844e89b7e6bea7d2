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
     * @param scenarios in one of these
     */
    record Suspect(String bug, Kind kind, Set<String> scenarios) {

        private static Suspect of(String bug, Kind kind, String... scenarios) {
            return new Suspect(bug, kind, Set.copyOf(Arrays.asList(scenarios)));
        }

        boolean mayShowIn(Method script) {
            return scenarios.contains(Catalogue.id(script))
                    && Catalogue.kinds(script).contains(kind);
        }
    }

    static final List<Suspect> SUSPECTS = List.of(
            Suspect.of("no-sync-before-the-lookup", EXCLUSIVE, "S6"),
            Suspect.of("no-sibling-deletion", EXCLUSIVE, "S6"),
            Suspect.of("sequence-number-as-token", EXCLUSIVE, "S29"),
            Suspect.of("bound-from-the-last-commit", EXCLUSIVE, "S22"),
            Suspect.of("bound-from-reads", EXCLUSIVE, "S22"),
            Suspect.of("any-event-taken-for-a-deletion", EXCLUSIVE, "S30"),
            Suspect.of("watch-not-set-again", EXCLUSIVE, "S30"),
            Suspect.of("text-order-instead-of-numbers", EXCLUSIVE, "S29"),
            Suspect.of("seat-kept-after-timeout-and-cancel", EXCLUSIVE, "S29"),
            Suspect.of("deleted-seat-not-noticed", EXCLUSIVE, "S13"),
            Suspect.of("deadline-ignored-while-disconnected", EXCLUSIVE, "S19"),
            Suspect.of("outage-told-as-contention", EXCLUSIVE, "S19"),
            Suspect.of("departure-not-attempted-again", EXCLUSIVE, "S7"),
            Suspect.of("not-listed-again-after-a-reconnect", EXCLUSIVE, "S7"),
            Suspect.of("reader-passes-writers", READ_WRITE, "S29"),
            Suspect.of("turn-taken-without-reading-the-queue-again", READ_WRITE, "S29"),
            Suspect.of("writer-let-in-beside-readers", READ_WRITE, "S29"),
            Suspect.of("late-readers-join-although-a-writer-waits", READ_WRITE, "S29"),
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

    /** The scenarios in which a bug may show, played with it. */
    List<Performance> performances(Suspect suspect, Plan plan) {
        List<String> classes = build(suspect.bug());
        return Catalogue.scripts().stream()
                .filter(suspect::mayShowIn)
                .map(script -> plan.with(classes).usual(script, suspect.kind()))
                .toList();
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
