package io.github.zklock.cli;

import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A queue as text: a line for each seat. */
final class QueueTable {

    private static final List<String> HEADER =
            List.of("STATE", "KIND", "PERMITS", "INSTANCE", "HOST", "PID", "THREAD", "SINCE", "SEAT");

    private QueueTable() {}

    static String of(List<Seat> queue) {
        if (queue.isEmpty()) {
            return "no holder, no waiter%n".formatted();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        queue.forEach(seat -> rows.add(row(seat)));
        int[] widths = IntStream.range(0, HEADER.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(column -> padded(row.get(column), widths[column]))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
    }

    private static List<String> row(Seat seat) {
        Owner owner = seat.owner().orElse(null);
        List<String> row = new ArrayList<>(List.of(
                seat.holds() ? "holds" : "waits",
                seat.kind().name().toLowerCase(Locale.ROOT),
                seat.kind() == LockKind.PERMITS
                        ? seat.permits() + " of " + seat.of()
                        : Integer.toString(seat.permits())));
        row.addAll(
                owner == null
                        ? List.of("-", "-", "-", "-", "-")
                        : List.of(
                                owner.instance(),
                                owner.host(),
                                Long.toString(owner.pid()),
                                owner.thread(),
                                owner.since() == null ? "-" : owner.since().toString()));
        row.add(seat.id());
        return row;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
