package io.github.zklock.cli;

import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;
import picocli.CommandLine.Option;

/** The format of an answer. A seat has the same members as at the actuator endpoint {@code zklocks}. */
final class Output {

    private enum Format {
        TEXT,
        JSON
    }

    private static final JsonWriter<Object> WRITER = JsonWriter.standard();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text (the default) or json.")
    private Format format = Format.TEXT;

    boolean isJson() {
        return format == Format.JSON;
    }

    /** Prints an answer that consists of maps, lists, texts, numbers and nulls, in one line. */
    static void print(PrintWriter out, Object answer) {
        out.println(WRITER.writeToString(answer));
    }

    static Map<String, @Nullable Object> queue(String name, List<Seat> seats) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("name", name);
        members.put("length", seats.size());
        members.put("seats", seats.stream().map(Output::seat).toList());
        return members;
    }

    static Map<String, @Nullable Object> seat(Seat seat) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", seat.id());
        members.put("kind", seat.kind().name());
        members.put("permits", seat.permits());
        members.put("of", seat.of());
        members.put("holds", seat.holds());
        members.put("sequence", seat.sequence());
        members.put("session", seat.sessionId());
        members.put("owner", seat.owner().map(Output::owner).orElse(null));
        return members;
    }

    private static Map<String, @Nullable Object> owner(Owner owner) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("instance", owner.instance());
        members.put("host", owner.host());
        members.put("pid", owner.pid());
        members.put("thread", owner.thread());
        members.put("since", owner.since() == null ? null : owner.since().toString());
        return members;
    }
}
