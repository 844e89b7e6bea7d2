package io.github.zklock.benchmarks.report;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.util.Locale;

/** A bar chart of the first figure of an outcome, with one bar for each entry. */
final class BarChart {

    private static final int LEFT = 200;
    private static final int LONGEST = 470;
    private static final int TOP = 56;
    private static final int ROW = 30;

    private static final String HEAD = """
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="%1$d" viewBox="0 0 760 %1$d" role="img">
            <title>%2$s</title>
            <style>
              text { font: 13px system-ui, sans-serif; fill: #24292f }
              .title { font-weight: 600; font-size: 15px }
              .note { fill: #57606a; font-size: 12px }
              .ours { fill: #0969da } .other { fill: #afb8c1 }
              @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3 } .note { fill: #9198a1 } .ours { fill: #4493f8 } .other { fill: #656c76 }
              }
            </style>
            <text class="title" x="0" y="18">%2$s</text>
            <text class="note" x="0" y="38">%3$s</text>
            """;

    private BarChart() {}

    static String svg(Outcome outcome) {
        Workload workload = outcome.workload();
        Figure figure = workload.figures().get(0);
        String note = figure.heading() + (figure == Figure.RATE ? ", more is better" : ", less is better");
        int height = TOP + ROW * workload.entries().size();
        StringBuilder svg = new StringBuilder(HEAD.formatted(height, workload.title(), note));
        double most = workload.entries().stream()
                .mapToDouble(entry -> outcome.overall(entry.label(), figure).orElse(0))
                .max()
                .orElse(0);
        int top = TOP;
        for (var entry : workload.entries()) {
            double value = outcome.overall(entry.label(), figure).orElse(0);
            double length = value > 0 ? Math.max(LONGEST * value / most, 1) : 1;
            String color = entry.label().startsWith("zk-lock") ? "ours" : "other";
            svg.append(String.format(
                    Locale.ROOT,
                    """
                    <text x="0" y="%1$d">%2$s</text>
                    <rect class="%3$s" x="%4$d" y="%5$d" width="%6$.1f" height="18" rx="2"/>
                    <text x="%7$.0f" y="%1$d">%8$s</text>
                    """,
                    top + 13,
                    entry.label(),
                    color,
                    LEFT,
                    top,
                    length,
                    LEFT + length + 6,
                    Numbers.of(value)));
            top += ROW;
        }
        return svg.append("</svg>\n").toString();
    }
}
