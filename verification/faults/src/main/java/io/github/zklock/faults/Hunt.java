package io.github.zklock.faults;

import io.github.zklock.faults.PlantedBugs.Suspect;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays each planted bug until a scenario turns red, and tells which one did. */
final class Hunt {

    private final PlantedBugs bugs;
    private final Plan plan;
    private final Theatre theatre;
    private final PrintStream out;

    Hunt(PlantedBugs bugs, Plan plan, Theatre theatre, PrintStream out) {
        this.bugs = bugs;
        this.plan = plan;
        this.theatre = theatre;
        this.out = out;
    }

    /** Answers the bugs that were not found. */
    List<String> all() {
        List<String> missed = new ArrayList<>();
        for (Suspect suspect : PlantedBugs.SUSPECTS) {
            if (!found(suspect)) {
                missed.add(suspect.bug());
            }
        }
        return missed;
    }

    private boolean found(Suspect suspect) {
        for (Performance performance : bugs.performances(suspect, plan)) {
            Review review = theatre.play(performance);
            Optional<String> complaint = review.seriousComplaint();
            if (complaint.isPresent()) {
                out.printf(
                        "found  %s: %s %s: %s%n", suspect.bug(), performance.id(), performance.name(), complaint.get());
                return true;
            }
        }
        out.printf("MISSED %s: %s stayed green%n", suspect.bug(), suspect.scenarios());
        return false;
    }
}
