package io.github.zklock.console;

import io.github.zklock.LockException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An answer of ZooKeeper's that all viewers share. Somebody must ask for it to be read; it is read once at a time, and
 * not again for {@link #FRESH}, nor for ten times as long as it took. After a failure the last answer stays.
 */
final class Shared<T> {

    /** How old an answer may be that is not read again. */
    static final Duration FRESH = Duration.ofSeconds(2);

    /** At most this share of the time is spent on reading: one part in so many. */
    private static final int REST = 10;

    private final Source<T> source;
    private final Readers readers;
    // guards: last, problem, reading, notBefore
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Reading<T> last;
    private @Nullable String problem;
    private @Nullable CompletableFuture<?> reading;
    private @Nullable Long notBefore;

    Shared(Source<T> source, Readers readers) {
        this.source = source;
        this.readers = readers;
    }

    /** Asks ZooKeeper. */
    @FunctionalInterface
    interface Source<T> {
        T read() throws InterruptedException;
    }

    /** @param takenAt when it was read, in milliseconds of the epoch */
    record Reading<T>(T value, long takenAt) {}

    /** @param problem why there is no newer reading, if one was tried for */
    record View<T>(Optional<Reading<T>> last, Optional<String> problem) {}

    View<T> view() {
        lock.lock();
        try {
            return new View<>(Optional.ofNullable(last), Optional.ofNullable(problem));
        } finally {
            lock.unlock();
        }
    }

    /** The last answer if it need not be read again. */
    Optional<T> fresh() {
        lock.lock();
        try {
            return isDue() || problem != null ? Optional.empty() : view().last().map(Reading::value);
        } finally {
            lock.unlock();
        }
    }

    /** Sees to it that it is read if it is due; what is returned completes when it is there, or cannot be had. */
    CompletableFuture<?> refresh() {
        lock.lock();
        try {
            if (reading != null) {
                return reading;
            }
            if (!isDue()) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<?> begun = new CompletableFuture<>();
            long askedAt = readers.nanoTime();
            // it cannot end before it is remembered: that takes the lock
            readers.execute(() -> read(begun, askedAt));
            reading = begun;
            return begun;
        } catch (RejectedExecutionException closed) {
            problem = "The console is closed";
            return CompletableFuture.completedFuture(null);
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        return notBefore == null || readers.nanoTime() - notBefore >= 0;
    }

    private void read(CompletableFuture<?> begun, long askedAt) {
        long startedAt = readers.nanoTime();
        try {
            // whoever asked has been answered without: others in front have waited for ZooKeeper in vain
            if (startedAt - askedAt > readers.patience().toNanos()) {
                failed("ZooKeeper has not been asked within " + readers.patience(), startedAt);
            } else {
                succeeded(source.read(), startedAt);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            failed("Interrupted while asking ZooKeeper", startedAt);
        } catch (LockException | NoConnectionException noAnswer) {
            failed(String.valueOf(noAnswer.getMessage()), startedAt);
        } catch (Throwable unexpected) {
            // also an Error: otherwise this would count as being read, and never be read again
            failed("ZooKeeper could not be asked: " + unexpected, startedAt);
        } finally {
            begun.complete(null);
        }
    }

    private void succeeded(T value, long startedAt) {
        lock.lock();
        try {
            long tookNanos = ended(startedAt, REST);
            last = new Reading<>(
                    value, readers.millis() - Duration.ofNanos(tookNanos).toMillis());
            problem = null;
        } finally {
            lock.unlock();
        }
    }

    private void failed(String reason, long startedAt) {
        lock.lock();
        try {
            ended(startedAt, 1);
            problem = reason;
        } finally {
            lock.unlock();
        }
    }

    private long ended(long startedAt, int rest) {
        long now = readers.nanoTime();
        reading = null;
        notBefore = now + Math.max(FRESH.toNanos(), rest * (now - startedAt));
        return now - startedAt;
    }
}
