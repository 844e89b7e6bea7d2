package io.github.zklock.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class SlowLogTest {

    private static final Duration LINE = Duration.ofMillis(50);

    private final Logger logger = (Logger) LoggerFactory.getLogger(ZooKeeperServer.class);

    @TempDir
    Path folder;

    @BeforeEach
    void install() {
        SlowLog.install(folder);
        SlowLog.slow(folder, LINE);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void detach() {
        logger.setLevel(null);
        logger.detachAndStopAllAppenders();
    }

    @Test
    void lineAboutASessionThatExpiresTakesTime() {
        assertThat(logging("Expiring session 0x1, timeout of 3000ms exceeded")).isGreaterThanOrEqualTo(LINE);
    }

    @Test
    void healedLogIsNotSlow() {
        SlowLog.slow(folder, Duration.ofDays(1));
        SlowLog.heal(folder);

        assertThat(logging("Expiring session 0x1, timeout of 3000ms exceeded")).isLessThan(Duration.ofDays(1));
    }

    @Test
    void otherLinesAreNotSlow() {
        SlowLog.slow(folder, Duration.ofDays(1));

        assertThat(logging("Established session 0x1")).isLessThan(Duration.ofDays(1));
    }

    private Duration logging(String line) {
        long at = System.nanoTime();
        logger.info(line);
        return Duration.ofNanos(System.nanoTime() - at);
    }
}
