package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K8CleanlinessTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void nothingLeftIsFine() {
        remained("server-1", 0, 0, "x").remained("server-2", 0, 0, "x").ended("", 1_000_000);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aSeatThatIsLeftIsFound() {
        remained("server-1", 1, 0, "x");

        assertThat(violations()).singleElement().asString().contains("server-1 still has 1 seats");
    }

    @Test
    void watchesThatAreLeftAreFound() {
        remained("server-1", 0, 3, "x");

        assertThat(violations()).singleElement().asString().contains("3 watches");
    }

    @Test
    void treesThatDifferAreFound() {
        remained("server-1", 0, 0, "x").remained("server-2", 0, 0, "y");

        assertThat(violations()).singleElement().asString().contains("server-1 has x", "server-2 has y");
    }

    @Test
    void lateCleanupIsFound() {
        events.event("a", 0, Kind.ALL_RELEASED)
                .event("server-1", 7000, Kind.LEFT_ON_SERVER, "seats", 0, "watches", 0, "tree", "x");

        assertThat(violations()).singleElement().asString().contains("only 7000 ms after", "server-1");
    }

    @Test
    void threadsThatAreLeftAreFound() {
        ended("zk-lock-loop", 0);

        assertThat(violations()).singleElement().asString().contains("zk-lock-loop");
    }

    @Test
    void memoryThatIsLeftIsFound() {
        ended("", 40_000_000);

        assertThat(violations()).singleElement().asString().contains("40.0 MB");
    }

    @Test
    void memoryThatIsLeftBeforeTheRegistryIsClosedIsFound() {
        events.event("a", 0, Kind.ALL_RELEASED, "heap", 50_001_000);
        ended("", 0);

        assertThat(violations()).singleElement().asString().contains("before its registry was closed", "50.0 MB");
    }

    private K8CleanlinessTest remained(String server, int seats, int watches, String tree) {
        events.event(server, 0, Kind.LEFT_ON_SERVER, "seats", seats, "watches", watches, "tree", tree);
        return this;
    }

    private void ended(String threads, long grown) {
        events.event("a", 0, Kind.ENDED, "threads", threads, "heapBefore", 1000, "heap", 1000 + grown);
    }

    private List<Violation> violations() {
        return new K8Cleanliness(events.timeline()).violations();
    }
}
