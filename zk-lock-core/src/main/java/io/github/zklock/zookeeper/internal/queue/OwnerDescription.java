package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockInspector.Owner;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The description of this process, as JSON for people and tools. It is the data of each seat. */
public final class OwnerDescription {

    private static final String IDLE = "idle";
    private static final int LONGEST_TEXT = 200;

    /** The length from which data is not even decoded: no description is as long. */
    private static final int LONGEST_DATA = 4 * FlatJson.LONGEST;

    /** Characters that break a line, and halves of characters, which JSON cannot contain. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private final String instance;
    /** The fields that are the same in each seat. */
    private final String common;

    /** @param instance the name of the process within its service */
    public OwnerDescription(String instance, String host, long pid) {
        this.instance = instance;
        StringBuilder json = new StringBuilder("{\"host\":");
        FlatJson.quote(json, host);
        FlatJson.quote(json.append(",\"instance\":"), instance);
        this.common = json.append(",\"pid\":").append(pid).toString();
    }

    public String instance() {
        return instance;
    }

    public byte[] write(String thread, Instant since, Demand demand) {
        return json(thread, since, demand, "}");
    }

    /**
     * Returns the data as {@link #write} does, for an idle seat: its process lingers, and no thread there holds the
     * lock. (L30)
     */
    public byte[] writeIdle(String thread, Instant since, Demand demand) {
        return json(thread, since, demand, ",\"" + IDLE + "\":1}");
    }

    private byte[] json(String thread, Instant since, Demand demand, String end) {
        StringBuilder json = new StringBuilder(common.length() + 160).append(common);
        FlatJson.quote(json.append(",\"thread\":"), shorten(thread));
        append(json.append(",\"since\":\""), since);
        json.append("\",\"kind\":\"");
        json.append(demand.kind().name().toLowerCase(Locale.ROOT));
        json.append("\",\"permits\":")
                .append(demand.permits())
                .append(",\"of\":")
                .append(demand.of());
        return json.append(end).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Appends the instant as its text. Each seat has one, and a formatter takes much longer. */
    private static void append(StringBuilder json, Instant instant) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
        if (time.getYear() < 1000 || time.getYear() > 9999) {
            json.append(instant);
            return;
        }
        json.append(time.getYear());
        appendTwo(json.append('-'), time.getMonthValue());
        appendTwo(json.append('-'), time.getDayOfMonth());
        appendTwo(json.append('T'), time.getHour());
        appendTwo(json.append(':'), time.getMinute());
        appendTwo(json.append(':'), time.getSecond());
        appendFraction(json, instant.getNano());
        json.append('Z');
    }

    private static void appendTwo(StringBuilder json, int number) {
        json.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    /** Appends three, six or nine digits, or none. */
    private static void appendFraction(StringBuilder json, int nanos) {
        if (nanos == 0) {
            return;
        }
        json.append('.');
        int left = nanos;
        for (int unit = 100_000_000; unit > 0; unit /= 10) {
            boolean group = unit == 100_000 || unit == 100;
            if (group && left == 0) {
                return;
            }
            json.append((char) ('0' + left / unit));
            left %= unit;
        }
    }

    /** Returns whether this data marks a seat as idle. Not guaranteed: that a process of this library wrote it. */
    public static boolean isIdle(byte[] data) {
        return fieldsOf(data)
                .filter(fields -> fields.get(IDLE) instanceof Long idle && idle == 1)
                .isPresent();
    }

    /** Reads data that any client may have written. Returns an empty result unless it is an owner's description. */
    public static Optional<Owner> read(byte[] data) {
        return fieldsOf(data)
                .filter(fields -> fields.containsKey("instance"))
                .map(fields -> new Owner(
                        text(fields, "instance"),
                        text(fields, "host"),
                        fields.get("pid") instanceof Long pid ? pid : 0,
                        text(fields, "thread"),
                        instant(text(fields, "since"))));
    }

    private static Optional<Map<String, Object>> fieldsOf(byte[] data) {
        return Optional.of(data)
                .filter(bytes -> bytes.length <= LONGEST_DATA)
                .flatMap(bytes -> FlatJson.read(new String(bytes, StandardCharsets.UTF_8)));
    }

    private static String text(Map<String, Object> fields, String key) {
        return fields.get(key) instanceof String text ? printable(shorten(text)) : "";
    }

    /** Returns text of other clients as messages may show it: it must not forge a line of a log. */
    public static String printable(String text) {
        return UNPRINTABLE.matcher(text).replaceAll(" ");
    }

    private static String shorten(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }

    private static @Nullable Instant instant(String text) {
        try {
            return text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeException notAnInstant) {
            return null;
        }
    }
}
