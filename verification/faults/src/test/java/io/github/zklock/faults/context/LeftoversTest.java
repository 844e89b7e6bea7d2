package io.github.zklock.faults.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeftoversTest {

    @Test
    void onlyWatchesBelowTheFolderAreCounted() {
        String answer = "/zookeeper/config\n\t0x1\n\t0x2\n/base/lock/seat\n\t0x1\n\t0x3\n/base-2/lock\n\t0x1\n\n";

        assertThat(Leftovers.watchersBelow("/base", answer)).containsExactlyInAnyOrder("0x1", "0x3");
    }

    @Test
    void processThatWatchesTwoSeatsIsOneWatcher() {
        String answer = "/base/lock/seat-1\n\t0x1\n\t0x3\n/base/lock/seat-2\n\t0x1\n\n";

        assertThat(Leftovers.watchersBelow("/base", answer)).containsExactlyInAnyOrder("0x1", "0x3");
        assertThat(Leftovers.ofEachWatchBelow("/base", answer)).hasSize(3);
    }

    @Test
    void watchesThatStandInNoListAreThoseOfFolders() {
        String watched = "/zookeeper/config\n\t0x1\n/base/lock/seat\n\t0x1\n";
        String figures = "zk_znode_count\t9\nzk_watch_count\t5\nzk_ephemerals_count\t2\n";

        assertThat(Leftovers.watchesOfFolders(watched, figures)).isEqualTo(3);
    }
}
