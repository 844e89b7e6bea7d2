package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class VersionsTest {

    @Test
    void versionsOfAllLibrariesAreFound() {
        assertThat(Versions.describe())
                .matches("ZooKeeper \\d\\S*, Curator \\d\\S*, Spring Integration \\d\\S*, ShedLock \\d\\S*,"
                        + " Redisson \\d\\S*, Spring Boot \\d\\S*");
    }

    @Test
    void missingLibraryIsReported() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Versions.describe("/lib/zookeeper-jute-3.9.5.jar"))
                .withMessageStartingWith("No zookeeper in the class path");
    }
}
