package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.PlantedBugs.Suspect;
import io.github.zklock.zookeeper.PlantedEngine;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlantedBugsTest {

    /** A JVM whose monotonic clock stands still takes more than a stopped process. */
    private static final String OF_CLOCKS_ALONE = "suspended-machine-not-noticed";

    @Test
    void eachBugOfTheSimulationIsHuntedButOne() {
        List<String> bugs = new ArrayList<>(PlantedEngine.names());
        bugs.remove(OF_CLOCKS_ALONE);

        assertThat(PlantedBugs.SUSPECTS).extracting(Suspect::bug).containsExactlyInAnyOrderElementsOf(bugs);
    }

    @Test
    void eachHuntHasSomewhereToLook() {
        assertThat(PlantedBugs.SUSPECTS)
                .allSatisfy(suspect -> assertThat(PlantedBugs.scripts(suspect)).isNotEmpty());
    }

    @Test
    void aBugIsShownByTheWordsThatBelongToIt() {
        Suspect suspect = PlantedBugs.SUSPECTS.get(0);
        Method script = PlantedBugs.scripts(suspect).get(0);

        assertThat(suspect.evidence(Reviews.failed(script, "K9: too late\nK5: a grant on no seat")))
                .hasValue("K5: a grant on no seat");
        assertThat(suspect.evidence(Reviews.failed(script, "K9: too late"))).isEmpty();
        assertThat(suspect.evidence(Reviews.failed(script, "Hollow: 0 grants of K5")))
                .isEmpty();
        assertThat(suspect.evidence(Reviews.broken(script, new IllegalStateException("K5"))))
                .isEmpty();
    }

    @Test
    void noHuntLooksWhereThereIsNothing() {
        List<String> known = new ArrayList<>();
        Catalogue.scripts().forEach(script -> known.addAll(List.of(script.getName(), Catalogue.id(script))));

        assertThat(PlantedBugs.SUSPECTS).allSatisfy(suspect -> assertThat(known).containsAll(suspect.scenarios()));
    }
}
