package io.github.zklock.faults.picture;

import io.github.zklock.faults.check.Violation;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A page that shows a timeline: the holds by the clients' answers, the seats by the servers' transaction logs, and the
 * violations.
 */
public final class Picture {

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>%1$s</title><style>
            :root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --faint: #d5dbe3; --alone: #2f6fde;
              --shared: #1e9e8a; --wait: #9aa7b8; --queued: #d9a441; --served: #b7791f; --bad: #d1242f; --fault: #7a3ff2; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e3e8ef; --paper: #14181f; --faint: #333c49;
              --alone: #6c9cf5; --shared: #4fc9b5; --wait: #6d7a8c; --queued: #b98a35; --served: #e0b050; --bad: #ff6b70;
              --fault: #b08cff; } }
            body { font: 14px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 1.5rem; }
            h1 { font-size: 1.2rem; } .scroll { overflow-x: auto; border: 1px solid var(--faint); }
            svg text { font: 11px system-ui, sans-serif; fill: var(--ink); } svg .lane { font-weight: 600; }
            .alone { fill: var(--alone); } .shared { fill: var(--shared); } .wait { fill: var(--wait); }
            .queued { fill: var(--queued); } .served { fill: var(--served); }
            .fault { fill: var(--fault); fill-opacity: .18; stroke: var(--fault); } svg .fault-name { fill: var(--fault); }
            .during { fill: var(--fault); fill-opacity: .06; }
            svg .inside { fill: var(--paper); } svg .small { font-size: 8px; }
            svg .bad { fill: var(--bad); font-weight: 700; } .border, .tick { stroke: var(--faint); }
            .wrong { stroke: var(--bad); stroke-dasharray: 4 3; }
            li { margin: .2rem 0; color: var(--bad); overflow-wrap: anywhere; }
            .key { display: inline-block; width: 1.4em; height: .8em; margin: 0 .3em 0 1em; }
            .key svg { vertical-align: middle; }
            </style></head><body>
            <h1>%1$s</h1>
            <p>%2$s</p>
            <p>%3$s</p>
            <div class="scroll">
            %4$s</div>
            %5$s
            </body></html>
            """;

    private static final List<List<String>> KEYS = List.of(
            List.of("wait", "waits"),
            List.of("alone", "holds exclusively, by its handle"),
            List.of("shared", "holds a share (reader, permits), by its handle"),
            List.of("queued", "seat in the queue, by the servers' logs"),
            List.of("served", "seat whose turn it is, by the servers' logs"),
            List.of("fault", "paused, cut off or killed"));
    private static final String LETTERS =
            "L: loss reported. W: stale write rejected. E, D, C: the seat ended, because its session expired,"
                    + " another client deleted it, or its session was closed. Red line: violation. Point at an item for details.";
    private static final double TOP = 30;
    private static final double SHORTEST = 1100;
    private static final double PIXELS_PER_SECOND = 70;
    private static final int MOST_SHOWN = 50;
    private static final long SECOND = 1_000_000_000L;

    private Picture() {}

    /** Writes the page to a self-contained file. */
    public static void write(Path file, String title, Timeline timeline, List<Violation> violations)
            throws IOException {
        Files.writeString(file, of(title, timeline, violations));
    }

    static String of(String title, Timeline timeline, List<Violation> violations) {
        List<Event> events = timeline.events();
        if (events.isEmpty()) {
            return PAGE.formatted(Canvas.escape(title), "Nothing happened.", "", "", "");
        }
        long origin = beginning(events);
        long end = events.get(events.size() - 1).at();
        double seconds = Math.max(1e-3, (end - origin) / 1e9);
        Canvas canvas = new Canvas(origin, end, Math.max(PIXELS_PER_SECOND, SHORTEST / seconds));
        List<Violation> shown = violations.subList(0, Math.min(MOST_SHOWN, violations.size()));

        double bottom = new Lanes(canvas, timeline, TOP).draw();
        FaultIntervals.on(timeline)
                .intervals()
                .forEach(interval -> canvas.bar(
                        "during",
                        interval.from(),
                        interval.until(),
                        TOP - 6,
                        bottom - TOP,
                        interval.source() + " " + interval.kind()));
        axis(canvas, origin, end, bottom);
        for (int i = 0; i < shown.size(); i++) {
            canvas.down("wrong", shown.get(i).at(), TOP - 8, bottom);
            canvas.mark(
                    "bad",
                    shown.get(i).at(),
                    TOP - 10,
                    Integer.toString(i + 1),
                    shown.get(i).text());
        }
        return PAGE.formatted(
                Canvas.escape(title),
                legend(),
                LETTERS,
                canvas.finish(bottom + 20),
                list(canvas, shown, violations.size()));
    }

    /** Returns the first call, grant or fault: the drawing leaves out the start of the processes. */
    private static long beginning(List<Event> events) {
        return events.stream()
                .filter(event -> event.is(Kind.REQUESTED)
                        || event.is(Kind.GRANTED)
                        || event.kind().isFault())
                .findFirst()
                .orElse(events.get(0))
                .at();
    }

    private static void axis(Canvas canvas, long origin, long end, double bottom) {
        for (long at = origin; at <= end; at += SECOND) {
            canvas.down("tick", at, TOP - 6, bottom);
            canvas.text("time", canvas.x(at) - 6, bottom + 14, "%.0f s".formatted(canvas.seconds(at)));
        }
    }

    private static String legend() {
        StringBuilder legend = new StringBuilder();
        for (List<String> key : KEYS) {
            legend.append("<svg class=\"key\"><rect class=\"%s\" width=\"100%%\" height=\"100%%\"/></svg>%s"
                    .formatted(key.get(0), key.get(1)));
        }
        return legend.toString();
    }

    private static String list(Canvas canvas, List<Violation> shown, int all) {
        if (shown.isEmpty()) {
            return "<p>No rule was broken.</p>";
        }
        StringBuilder list = new StringBuilder("<ol>");
        for (Violation violation : shown) {
            String when =
                    violation.at() == 0 ? "" : String.format(Locale.ROOT, "%.3f s: ", canvas.seconds(violation.at()));
            list.append("<li>")
                    .append(when)
                    .append(Canvas.escape(violation.text()))
                    .append("</li>\n");
        }
        return list.append("</ol>")
                .append(all > shown.size() ? "<p>... of " + all + "</p>" : "")
                .toString();
    }
}
