package io.github.zklock.benchmarks.report;

import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Outcome;
import java.util.List;
import java.util.Locale;

/**
 * A bar chart of the first figure of an outcome: a bar of the median for each entry, with a line from the least to the
 * largest round.
 */
final class BarChart {

    private static final int WIDTH = 760;
    private static final int LEFT = 200;
    private static final int RIGHT = 90;
    private static final int TOP = 56;
    private static final int ROW = 30;
    private static final int BAR = 18;
    private static final int FOOT = 16;

    /** If the largest value is this many times the smallest, the scale is logarithmic. */
    private static final double FAR = 50;

    private static final String STYLE = """
            <style>
              text { font: 13px system-ui, sans-serif; fill: #24292f }
              .title { font-weight: 600; font-size: 15px }
              .note { fill: #57606a; font-size: 12px }
              .ours { fill: #0969da } .other { fill: #afb8c1 } .range { stroke: #24292f; stroke-width: 1.5 }
              @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3 } .note { fill: #9198a1 }
                .ours { fill: #4493f8 } .other { fill: #656c76 } .range { stroke: #e6edf3 }
              }
            </style>
            """;

    private final Outcome outcome;
    private final String figure;
    private final List<Entry> entries;
    private final double least;
    private final double most;

    BarChart(Outcome outcome) {
        this.outcome = outcome;
        this.figure = outcome.workload().figures().get(0);
        this.entries = outcome.workload().entries().stream()
                .filter(entry -> outcome.median(entry.label(), figure).isPresent())
                .toList();
        this.least = entries.stream()
                .mapToDouble(entry -> outcome.least(entry.label(), figure).orElseThrow())
                .filter(value -> value > 0)
                .min()
                .orElse(1);
        this.most = entries.stream()
                .mapToDouble(entry -> outcome.most(entry.label(), figure).orElseThrow())
                .max()
                .orElse(1);
    }

    String svg() {
        int height = TOP + ROW * entries.size() + FOOT;
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
                        .formatted(WIDTH, height, WIDTH, height));
        svg.append("<title>")
                .append(escaped(outcome.workload().title()))
                .append("</title>\n")
                .append(STYLE);
        text(svg, 0, 18, "title", outcome.workload().title());
        String better = FigureLabels.isMoreBetter(figure) ? ", more is better" : ", less is better";
        text(
                svg,
                0,
                38,
                "note",
                FigureLabels.heading(figure) + better + (isLogarithmic() ? "; lengths stand for powers of ten" : ""));
        for (int row = 0; row < entries.size(); row++) {
            bar(svg, entries.get(row), TOP + ROW * row);
        }
        return svg.append("</svg>\n").toString();
    }

    private void bar(StringBuilder svg, Entry entry, int top) {
        double median = outcome.median(entry.label(), figure).orElseThrow();
        double end = x(median);
        double from = x(outcome.least(entry.label(), figure).orElseThrow());
        double to = x(outcome.most(entry.label(), figure).orElseThrow());
        int middle = top + BAR / 2;
        text(svg, 0, middle + 4, "", entry.label());
        svg.append(line(
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                entry.isOurs() ? "ours" : "other", LEFT, top, Math.max(end - LEFT, 1), BAR));
        svg.append(
                line("<line class=\"range\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", from, middle, to, middle));
        text(svg, (int) Math.max(end, to) + 6, middle + 4, "", Numbers.of(median));
    }

    private boolean isLogarithmic() {
        return most / least > FAR;
    }

    private double x(double value) {
        int room = WIDTH - LEFT - RIGHT;
        if (value <= 0) {
            return LEFT;
        }
        if (!isLogarithmic()) {
            return LEFT + room * value / most;
        }
        // the smallest value must have some length
        double start = Math.floor(Math.log10(least)) - 0.5;
        double part = (Math.log10(value) - start) / (Math.log10(most) - start);
        return LEFT + room * part;
    }

    private static void text(StringBuilder svg, int x, int y, String style, String text) {
        svg.append(line("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", style, x, y, escaped(text)));
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
