package io.github.zklock.docs.picture;

import io.github.zklock.docs.picture.CountedOrders.Run;
import io.github.zklock.docs.picture.CountedOrders.Update;
import java.util.Locale;

/** Draws two runs below each other, as a picture that shows them whole and then replays them from left to right. */
final class MovingPicture {

    private static final int WIDTH = 720;
    private static final int PANEL = 130;
    private static final int LEFT = 70;
    private static final int RIGHT = 230;
    private static final int LANE = 34;
    private static final int BAR = 24;

    private final StringBuilder svg = new StringBuilder();
    private final long longest;

    private MovingPicture(Run without, Run with) {
        this.longest = Math.max(end(without), end(with));
    }

    static String of(Run without, Run with) {
        return new MovingPicture(without, with).draw(without, with);
    }

    private static long end(Run run) {
        return run.updates().stream().mapToLong(Update::wrote).max().orElseThrow();
    }

    private String draw(Run without, Run with) {
        int height = 2 * PANEL;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"system-ui, sans-serif\""
                        + " font-size=\"13\">",
                WIDTH, height);
        line("<title>Two instances count orders in one row: without a lock they lose some, with a lock none</title>");
        line(
                "<style>.t{fill:#24292f}.m{fill:#57606a}@media(prefers-color-scheme:dark){.t{fill:#e6edf3}.m{fill:#9198a1}}"
                        + "</style>");
        line("<clipPath id=\"seen\"><rect x=\"0\" y=\"0\" height=\"%d\" width=\"%d\">", height, WIDTH);
        line(
                "<animate attributeName=\"width\" values=\"%d;%d;%d;%d;%d\" keyTimes=\"0;0.4;0.401;0.95;1\" dur=\"12s\""
                        + " repeatCount=\"indefinite\"/>",
                WIDTH, WIDTH, LEFT, WIDTH - RIGHT + 20, WIDTH);
        line("</rect></clipPath>");
        panel(0, "Without a lock", without);
        panel(PANEL, "With @DistributedLock(\"/order-stats\")", with);
        line("</svg>");
        return svg.toString();
    }

    private void panel(int top, String title, Run run) {
        line(
                "<text x=\"8\" y=\"%d\" class=\"t\" font-weight=\"600\">%s</text>",
                top + 22, title.replace("\"", "&quot;"));
        for (int instance = 0; instance < CountedOrders.INSTANCES; instance++) {
            line("<text x=\"8\" y=\"%d\" class=\"m\">shop-%d</text>", lane(top, instance) + 17, instance + 1);
        }
        line("<g clip-path=\"url(#seen)\">");
        run.updates().forEach(update -> update(top, run, update));
        boolean right = run.counted() == run.orders();
        line(
                "<text x=\"%d\" y=\"%d\" class=\"t\">%d orders completed</text>",
                WIDTH - RIGHT + 30, lane(top, 0) + 17, run.orders());
        line(
                "<text x=\"%d\" y=\"%d\" fill=\"%s\" font-weight=\"600\">%d counted %s</text>",
                WIDTH - RIGHT + 30,
                lane(top, 1) + 17,
                right ? "#1a7f37" : "#cf222e",
                run.counted(),
                right ? "\u2713" : "\u2717");
        line("</g>");
    }

    private void update(int top, Run run, Update update) {
        int y = lane(top, update.instance());
        if (update.read() - update.asked() > longest / 200) {
            line(
                    "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"4\" fill=\"#bf8700\" rx=\"2\"/>",
                    x(update.asked()), y + BAR / 2 - 2, width(update.asked(), update.read()));
        }
        line(
                "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" rx=\"3\" fill=\"%s\"/>",
                x(update.read()),
                y,
                width(update.read(), update.wrote()),
                BAR,
                run.isStale(update) ? "#cf222e" : "#0969da");
        line(
                "<text x=\"%s\" y=\"%d\" fill=\"#fff\" font-size=\"11\" text-anchor=\"middle\">%d</text>",
                x((update.read() + update.wrote()) / 2), y + 16, update.number());
    }

    private static int lane(int top, int instance) {
        return top + 40 + instance * LANE;
    }

    private String x(long nanos) {
        return number(LEFT + (double) nanos / longest * (WIDTH - LEFT - RIGHT));
    }

    private String width(long from, long until) {
        return number((double) (until - from) / longest * (WIDTH - LEFT - RIGHT));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
