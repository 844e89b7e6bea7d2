package io.github.zklock.faults;

import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.Release;
import io.github.zklock.faults.stage.Jury;
import io.github.zklock.faults.stage.SkippedScenario;
import io.github.zklock.faults.stage.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plays performances one after the other, on one ensemble as long as they want the same servers. */
final class Theatre implements AutoCloseable {

    /** Held by this process until it ends. */
    private static @Nullable FileChannel occupied;

    private final Path folder;
    private final boolean keepAll;

    private @Nullable Release release;
    private @Nullable Ensemble ensemble;
    private int played;

    /**
     * @param folder where the servers live, and what is kept
     * @param keepAll whether what happened is kept although it was as it should be
     */
    Theatre(Path folder, boolean keepAll) {
        this.folder = folder;
        this.keepAll = keepAll;
    }

    /** Takes the folder for this process; false if another one plays there. Two would take each other's servers. */
    static boolean occupy(Path folder) {
        try {
            Files.createDirectories(folder);
            occupied =
                    FileChannel.open(folder.resolve("occupied"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return occupied.tryLock() != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Review play(Performance performance) {
        long began = System.nanoTime();
        int number = ++played;
        Path kept = folder.resolve(performance.folder(number));
        try (Stage stage = stage(performance, kept, number)) {
            return play(performance, stage, kept, began);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted", e);
        } catch (RuntimeException | Error e) {
            // servers that cannot be mended must not end the others
            close();
            return Review.failed(performance, e, Optional.empty(), kept, began);
        } finally {
            if (performance.scenario().ownServers()) {
                close();
            }
        }
    }

    private Review play(Performance performance, Stage stage, Path kept, long began) throws InterruptedException {
        try {
            performance.play(stage);
            stage.end();
            Verdict verdict = stage.jury().judge();
            stage.close();
            if (keepAll || !verdict.passed()) {
                stage.jury().keep();
            } else {
                stage.jury().discard();
            }
            return Review.of(performance, verdict, kept, began);
        } catch (SkippedScenario reason) {
            stage.jury().discard();
            return Review.skipped(performance, reason, kept, began);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable failure) {
            return Review.failed(performance, failure, judgePart(stage.jury(), failure), kept, began);
        }
    }

    private Stage stage(Performance performance, Path kept, int number) {
        Ensemble servers = ensembleOf(performance.variant().servers());
        String name = performance.name() + "-" + number;
        return new Stage(performance.scenario(), name, performance.variant(), performance.seed(), kept, servers);
    }

    @Override
    public void close() {
        if (ensemble != null) {
            ensemble.close();
            ensemble = null;
        }
    }

    private Ensemble ensembleOf(Release wanted) {
        if (ensemble == null || !wanted.equals(release)) {
            close();
            release = wanted;
            ensemble = new Ensemble(wanted, folder.resolve("ensemble-" + wanted));
        }
        return ensemble;
    }

    /** Why somebody was waited for in vain, the rules may say. */
    private static Optional<Verdict> judgePart(Jury jury, Throwable failure) {
        Optional<Verdict> verdict = Optional.empty();
        try {
            verdict = Optional.of(jury.judgePart(failure));
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
        try {
            jury.keep(failure);
        } catch (UncheckedIOException e) {
            failure.addSuppressed(e);
        }
        return verdict;
    }
}
