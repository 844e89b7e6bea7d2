package io.github.zklock.faults;

import io.github.zklock.faults.PlantedBugs.Suspect;
import io.github.zklock.faults.Review.Outcome;
import io.github.zklock.faults.stage.Variant;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Plays each planted bug until a scenario turns red as it should, and tells which one did. A scenario that is red for
 * another reason finds none, nor does one that is red without the bug as well.
 */
final class Hunt {

    private final PlantedBugs bugs;
    private final Plan plan;
    private final Theatre theatre;
    private final PrintStream out;
    private final Map<String, Review> withoutBug = new HashMap<>();

    private int hunted;
    private int found;

    Hunt(PlantedBugs bugs, Plan plan, Theatre theatre, PrintStream out) {
        this.bugs = bugs;
        this.plan = plan;
        this.theatre = theatre;
        this.out = out;
    }

    void all() {
        for (Suspect suspect : PlantedBugs.SUSPECTS) {
            if (plan.order().hunts(suspect.bug())) {
                hunted++;
                if (isFound(suspect)) {
                    found++;
                } else {
                    out.printf("MISSED %s: %s did not find it%n", suspect.bug(), suspect.scenarios());
                }
            }
        }
    }

    int hunted() {
        return hunted;
    }

    int found() {
        return found;
    }

    private boolean isFound(Suspect suspect) {
        Plan planted = plan.with(bugs.build(suspect.bug()));
        for (Method script : PlantedBugs.scripts(suspect)) {
            Review review = theatre.play(planted.usual(script, suspect.kind()));
            Optional<String> evidence = suspect.evidence(review);
            if (review.outcome() == Outcome.PASSED) {
                continue;
            }
            if (evidence.isEmpty()) {
                out.printf("red for another reason: %s: %s%n", script.getName(), review.complaint());
            } else if (passesWithoutBug(script, suspect.kind())) {
                out.printf(
                        "found  %s: %s %s: %s%n",
                        suspect.bug(), Catalogue.id(script), script.getName(), evidence.get());
                return true;
            }
        }
        return false;
    }

    private boolean passesWithoutBug(Method script, Variant.Kind kind) {
        Review review =
                withoutBug.computeIfAbsent(kind + script.getName(), key -> theatre.play(plan.usual(script, kind)));
        if (review.outcome() != Outcome.PASSED) {
            out.printf("red without a bug, too: %s: %s%n", script.getName(), review.complaint());
        }
        return review.outcome() == Outcome.PASSED;
    }
}
