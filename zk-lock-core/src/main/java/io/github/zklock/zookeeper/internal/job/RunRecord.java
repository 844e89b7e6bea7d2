package io.github.zklock.zookeeper.internal.job;

import io.github.zklock.ClusterJob.LastRun;
import io.github.zklock.FencingToken;
import io.github.zklock.zookeeper.internal.queue.FlatJson;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of a job's last run, as stored: JSON for people and tools. When the run began is the time of the write,
 * unless the data contains it.
 */
final class RunRecord {

    /** A later instant is no time of a server. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private final byte[] data;
    private final int version;
    private final long writtenMillis;
    private final Map<String, Object> fields;

    RunRecord(Node node) {
        this(node.data(), node.version(), node.writtenMillis());
    }

    private RunRecord(byte[] data, int version, long writtenMillis) {
        this.data = data;
        this.version = version;
        this.writtenMillis = writtenMillis;
        // other clients may have written the data: what is no record has no fields
        this.fields = FlatJson.read(new String(data, StandardCharsets.UTF_8)).orElse(Map.of());
    }

    /**
     * Returns the data of a run that begins with the write.
     *
     * @param succeeded when the last run that succeeded began; null if there was none
     */
    static byte[] begin(String instance, FencingToken token, Duration window, @Nullable Instant succeeded) {
        return json(instance, token.value(), window.toMillis(), null, succeeded);
    }

    /** Returns the data that replaces this record if its run has succeeded. */
    byte[] success() {
        return json(text("instance"), number("token"), number("window"), begun(), begun());
    }

    /** Returns the data that restores this record after another one was written. */
    byte[] same() {
        return json(text("instance"), number("token"), number("window"), begun(), succeeded());
    }

    /** Returns the data that replaces this record if its run is undone, and no run was recorded before. */
    byte[] withoutRun() {
        return json(text("instance"), 0, number("window"), Instant.EPOCH, null);
    }

    /** Returns the data of a record without a run, for data that {@link #begin} has returned. */
    static byte[] withoutRun(byte[] begin) {
        return new RunRecord(begin, 0, 0).withoutRun();
    }

    private static byte[] json(
            String instance, long token, long window, @Nullable Instant begun, @Nullable Instant succeeded) {
        StringBuilder json = new StringBuilder("{\"instance\":");
        FlatJson.quote(json, instance);
        json.append(",\"token\":").append(token).append(",\"window\":").append(window);
        if (begun != null) {
            FlatJson.quote(json.append(",\"begun\":"), begun.toString());
        }
        if (succeeded != null) {
            FlatJson.quote(json.append(",\"succeeded\":"), succeeded.toString());
        }
        return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    byte[] data() {
        return data;
    }

    int version() {
        return version;
    }

    boolean isOf(byte[] other) {
        return Arrays.equals(data, other);
    }

    boolean isSameAs(RunRecord other) {
        return version == other.version && isOf(other.data) && writtenMillis == other.writtenMillis;
    }

    Instant begun() {
        Instant said = instant("begun");
        return said == null ? Instant.ofEpochMilli(writtenMillis) : said;
    }

    /** Returns when the last run that succeeded began; null if none is recorded. */
    @Nullable Instant succeeded() {
        return instant("succeeded");
    }

    Instant writtenAt() {
        return Instant.ofEpochMilli(writtenMillis);
    }

    Duration window() {
        return Duration.ofMillis(Math.max(0, number("window")));
    }

    String instance() {
        return text("instance");
    }

    /** Returns the run for callers; empty if another client wrote the data. */
    Optional<LastRun> lastRun() {
        long token = number("token");
        return token <= 0
                ? Optional.empty()
                : Optional.of(
                        new LastRun(begun(), Optional.ofNullable(succeeded()), instance(), new FencingToken(token)));
    }

    private String text(String key) {
        return fields.get(key) instanceof String text ? OwnerDescription.printable(text) : "";
    }

    private long number(String key) {
        return fields.get(key) instanceof Long number ? number : 0;
    }

    private @Nullable Instant instant(String key) {
        try {
            Instant instant = fields.get(key) instanceof String text ? Instant.parse(text) : null;
            return instant == null || instant.isBefore(Instant.EPOCH) || instant.isAfter(LATEST) ? null : instant;
        } catch (DateTimeException notAnInstant) {
            return null;
        }
    }
}
