package io.github.zklock.docs.walk;

import io.github.zklock.docs.check.Document;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Commands and what they printed, with fixed values where each run has others: ids, times, hosts, processes. */
final class ZkTranscript {

    private static final String BEGIN = "<!-- transcript zkCli -->\n";
    private static final String END = "<!-- end -->";
    private static final List<String> IDS = List.of(
            "4ad5b0ab-9f4f-44ed-a58f-cf3650c6eb65",
            "7c6f3e9b-3e11-42a3-83af-90dbc768bb5f",
            "0243a9be-7b6f-4c5d-8aae-d7529e287b1f");

    private final List<String> seats;
    private final StringBuilder text = new StringBuilder();

    /** Of a queue with these seats. */
    ZkTranscript(List<String> seats) {
        this.seats = seats.stream()
                .sorted(Comparator.comparing(seat -> seat.substring(seat.lastIndexOf('-'))))
                .toList();
    }

    /** The path of a seat, the first one being 0. */
    String seat(int index) {
        return seats.get(index);
    }

    void add(String command, String printed) {
        text.append(fixed("[zk: zk1:2181(CONNECTED) " + text.toString().split("\\[zk: ", -1).length + "] " + command))
                .append('\n')
                .append(withLength(printed.lines().map(this::fixed).toList()))
                .append('\n');
    }

    /** The document with this transcript between its markers. */
    Document in(Document document) {
        String whole = document.text();
        int from = whole.indexOf(BEGIN);
        int to = whole.indexOf(END, from);
        if (from < 0 || to < 0) {
            throw new IllegalStateException("no '" + BEGIN.strip() + "' and '" + END + "' in " + document.path());
        }
        return new Document(
                document.path(),
                whole.substring(0, from + BEGIN.length()) + "```\n" + text + "```\n" + whole.substring(to));
    }

    private String fixed(String line) {
        String fixed = line;
        for (int i = 0; i < seats.size(); i++) {
            fixed = fixed.replace(id(seats.get(i)), IDS.get(i));
        }
        fixed = fixed.replaceAll("(\"since\" ?: ?)\"[^\"]*\"", "$1\"2026-11-20T03:00:00.125Z\"")
                .replaceAll("(\"host\" ?: ?)\"[^\"]*\"", "$1\"node-7\"")
                .replaceAll("(\"thread\" ?: ?)\"[^\"]*\"", "$1\"main\"")
                .replaceAll("(\"pid\" ?: ?)\\d+", "$14711")
                .replaceAll("^(ctime|mtime) = .*", "$1 = Fri Nov 20 03:00:00 UTC 2026")
                .replaceAll("^(cZxid|mZxid|pZxid) = .*", "$1 = 0x100000007")
                .replaceAll("^ephemeralOwner = 0x[1-9a-f].*", "ephemeralOwner = 0x100001f4e5a0001");
        // a folder is listed by name, and the fixed names have another order
        return fixed.matches("\\[_c_.*]")
                ? Arrays.stream(fixed.substring(1, fixed.length() - 1).split(", "))
                        .sorted()
                        .collect(Collectors.joining(", ", "[", "]"))
                : fixed;
    }

    /** The data has another length once its values are fixed. */
    private static String withLength(List<String> lines) {
        return lines.stream()
                .map(line -> line.startsWith("dataLength = ")
                        ? "dataLength = " + lines.get(0).length()
                        : line)
                .collect(Collectors.joining("\n"));
    }

    private static String id(String seat) {
        return seat.substring(seat.indexOf("_c_") + 3, seat.lastIndexOf("-lock-"));
    }
}
