package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.PlantedBugs.Suspect;
import io.github.zklock.zookeeper.PlantedEngine;
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
    void noHuntLooksWhereThereIsNothing() {
        List<String> known = new ArrayList<>();
        Catalogue.scripts().forEach(script -> known.addAll(List.of(script.getName(), Catalogue.id(script))));

        assertThat(PlantedBugs.SUSPECTS).allSatisfy(suspect -> assertThat(known).containsAll(suspect.scenarios()));
    }
}
