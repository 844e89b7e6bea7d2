package io.github.zklock.faults;

import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerRelease;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ScenarioSkippedException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/** Executes scenario runs one after the other. Consecutive runs on the same server release share an ensemble. */
final class ScenarioRunner implements AutoCloseable {

    /** The file lock that this process keeps until it ends. */
    private static @Nullable FileChannel folderLock;

    private final Path folder;
    private final boolean keepAll;

    private @Nullable ServerRelease release;
    private @Nullable Ensemble ensemble;
    private int executed;

    /**
     * @param folder the folder of the servers and of the records
     * @param keepAll whether to keep the records of runs that passed
     */
    ScenarioRunner(Path folder, boolean keepAll) {
        this.folder = folder;
        this.keepAll = keepAll;
    }

    /**
     * Reserves the folder for this process. Returns false if another process has it: the two would use each other's
     * servers.
     */
    static boolean acquireFolder(Path folder) {
        Uncheck.run(() -> Files.createDirectories(folder));
        folderLock = Uncheck.get(() ->
                FileChannel.open(folder.resolve("run.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        return Uncheck.get(folderLock::tryLock) != null;
    }

    ScenarioResult execute(ScenarioRun run) {
        long startedAt = System.nanoTime();
        int number = ++executed;
        Path records = folder.resolve(run.folder(number));
        try (ScenarioContext context = new ScenarioContext(
                run.declaration(),
                run.name() + "-" + number,
                run.variant(),
                run.seed(),
                records,
                ensembleOf(run.variant().servers()))) {
            return execute(run, context, records, startedAt);
        } catch (RuntimeException | Error e) {
            // A broken ensemble must not fail the runs after this one.
            close();
            return ScenarioResult.failed(run, e, Optional.empty(), records, startedAt);
        } finally {
            if (run.declaration().ownServers()) {
                close();
            }
        }
    }

    private ScenarioResult execute(ScenarioRun run, ScenarioContext context, Path records, long startedAt) {
        try {
            run.execute(context);
            context.end();
            Verdict verdict = context.evaluate();
            context.close();
            if (keepAll || !verdict.passed()) {
                context.keep(Optional.empty());
            } else {
                context.discard();
            }
            return ScenarioResult.of(run, verdict, records, startedAt);
        } catch (ScenarioSkippedException reason) {
            context.discard();
            return ScenarioResult.skipped(run, reason, records, startedAt);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted", e);
        } catch (Throwable failure) {
            return ScenarioResult.failed(run, failure, evaluatePart(context, failure), records, startedAt);
        }
    }

    @Override
    public void close() {
        if (ensemble != null) {
            ensemble.close();
            ensemble = null;
        }
    }

    private Ensemble ensembleOf(ServerRelease wanted) {
        if (ensemble == null || !wanted.equals(release)) {
            close();
            release = wanted;
            ensemble = new Ensemble(wanted, folder.resolve("ensemble-" + wanted));
        }
        return ensemble;
    }

    /** Judges the events before a failure: a broken rule may explain why an awaited event did not occur. */
    private static Optional<Verdict> evaluatePart(ScenarioContext context, Throwable failure) {
        Optional<Verdict> verdict = Optional.empty();
        try {
            verdict = Optional.of(context.evaluatePart());
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
        try {
            context.keep(Optional.of(failure));
        } catch (UncheckedIOException e) {
            failure.addSuppressed(e);
        }
        return verdict;
    }
}
