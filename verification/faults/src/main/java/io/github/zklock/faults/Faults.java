package io.github.zklock.faults;

import io.github.zklock.faults.Review.Outcome;
import io.github.zklock.faults.rig.Java;
import io.github.zklock.faults.rig.Networks;
import io.github.zklock.faults.rig.Release;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The command: plays what is asked for and says what came of it. */
public final class Faults {

    private static final int WRONG_ARGUMENTS = 2;

    private static final Path FOLDER = Path.of("target", "faults").toAbsolutePath();

    private static final PlantedBugs BUGS = new PlantedBugs(
            Path.of("../../zk-lock-core/src/main/java"),
            Path.of("target", "planted").toAbsolutePath());

    private final PrintStream out;
    private final Totals totals = new Totals();

    private Faults(PrintStream out) {
        this.out = out;
    }

    /**
     * Ends this JVM with 0 if all was as promised.
     *
     * @param args as {@link Order#USAGE} says
     */
    public static void main(String[] args) {
        Plan plan;
        try {
            plan = new Plan(Order.parse(List.of(args)), Java.all(), Release.all(), List.of());
        } catch (IllegalArgumentException e) {
            System.err.println("run: " + e.getMessage() + "\n" + Order.USAGE);
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        System.exit(new Faults(System.out).carryOut(plan));
    }

    private int carryOut(Plan wanted) {
        Order order = wanted.order();
        Plan plan = order.planted().isEmpty() || order.mode() == Order.Mode.PLANTED
                ? wanted
                : wanted.with(BUGS.build(order.planted()));
        switch (order.mode()) {
            case HELP -> {
                out.println(Order.USAGE);
                return 0;
            }
            case LIST -> {
                list();
                return 0;
            }
            case SOAK -> soak(plan);
            case PEERS -> {
                return new Peers(out).findOut(plan);
            }
            case PLANTED -> {
                return hunt(plan);
            }
            default -> playAll(plan);
        }
        out.println(totals);
        return totals.exitCode();
    }

    private void playAll(Plan plan) {
        List<Performance> performances = plan.performances();
        try (Theatre theatre = theatre()) {
            int number = 0;
            for (Performance performance : performances) {
                out.printf("[%d/%d] ", ++number, performances.size());
                show(theatre.play(performance), plan.order());
            }
        }
    }

    private void soak(Plan plan) {
        Duration time = plan.order().time();
        out.printf("soaking for %s, seed %d%n", time, plan.order().seed());
        long began = System.nanoTime();
        try (Theatre theatre = theatre()) {
            for (Performance performance : (Iterable<Performance>) plan.drawn()::iterator) {
                Duration passed = Duration.ofNanos(System.nanoTime() - began);
                if (passed.compareTo(time) >= 0) {
                    return;
                }
                out.printf("[%d min] ", passed.toMinutes());
                show(theatre.play(performance), plan.order());
            }
        }
    }

    private int hunt(Plan plan) {
        try (Theatre theatre = theatre()) {
            Hunt hunt = new Hunt(BUGS, plan, theatre, out);
            hunt.all();
            out.printf("%d of %d planted bugs found%n", hunt.found(), hunt.hunted());
            return hunt.found() == hunt.hunted() && hunt.found() > 0 ? 0 : 1;
        }
    }

    private void list() {
        Catalogue.scripts().forEach(script -> out.println(Catalogue.id(script) + " " + script.getName()));
        PlantedBugs.SUSPECTS.forEach(suspect -> out.println("--planted " + suspect.bug()));
    }

    static Theatre theatre() {
        if (!Theatre.occupy(FOLDER)) {
            System.err.println("run: another run goes on in this checkout; let it end, or use another one");
            System.exit(WRONG_ARGUMENTS);
        }
        System.out.printf(
                "network: %s; JDKs: %s; servers: %s%n",
                Networks.description(), inWords(Java.all()), inWords(Release.all()));
        return new Theatre(FOLDER, Boolean.getBoolean("faults.keep"));
    }

    private static String inWords(List<?> all) {
        return all.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private void show(Review review, Order order) {
        out.println(review);
        totals.add(review);
        if (review.outcome() != Outcome.PASSED) {
            out.println(review.complaint().indent(8).stripTrailing());
        }
        if (review.outcome() == Outcome.FAILED) {
            out.println("        kept in " + review.kept() + ", for people: picture.html");
            String bug = order.planted().isEmpty() ? "" : " --planted " + order.planted();
            out.println("        again: " + review.performance().command() + bug);
        }
    }
}
