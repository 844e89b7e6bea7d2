package io.github.zklock.faults.picture;

import java.util.Locale;

/**
 * An SVG drawing with time from left to right and lanes from top to bottom. The styles of the page define the colours.
 */
final class Canvas {

    static final int LEFT = 150;

    private static final double NANOS = 1e9;
    private static final double NARROWEST = 1.5;

    private final StringBuilder svg = new StringBuilder();
    private final long origin;
    private final long end;
    private final double pixelsPerSecond;

    Canvas(long origin, long end, double pixelsPerSecond) {
        this.origin = origin;
        this.end = end;
        this.pixelsPerSecond = pixelsPerSecond;
    }

    double width() {
        return x(end) + 20;
    }

    double x(long at) {
        return LEFT + (Math.max(origin, Math.min(at, end)) - origin) / NANOS * pixelsPerSecond;
    }

    /** Returns whether an instant is within the drawing. */
    boolean shows(long at) {
        return at >= origin;
    }

    double seconds(long at) {
        return (at - origin) / NANOS;
    }

    /** Draws a bar from one instant to another, with {@code title} as its tooltip. */
    void bar(String style, long from, long until, double y, double height, String title) {
        double width = Math.max(NARROWEST, x(until) - x(from));
        add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                style, x(from), y, width, height, escape(title));
    }

    /** Draws a letter at an instant. */
    void mark(String style, long at, double y, String letter, String title) {
        add(
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s<title>%s</title></text>",
                style, x(at), y, escape(letter), escape(title));
    }

    void text(String style, double x, double y, String text) {
        add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, x, y, escape(text));
    }

    void across(String style, double y) {
        add("<line class=\"%s\" x1=\"0\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", style, width(), y, y);
    }

    void down(String style, long at, double top, double bottom) {
        add("<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", style, x(at), x(at), top, bottom);
    }

    String finish(double height) {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" role=\"img\">%n%s</svg>%n"
                .formatted(width(), height, svg);
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
