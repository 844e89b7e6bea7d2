package io.github.zklock.docs.guide.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;

/** The leader that the documents show, and another candidate. */
@SpringBootTest(properties = "zk.lock.leadership[0]=/reports")
@AutoConfigureZkLock
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class ReportPublisherTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PUBLISHED_OTHERWISE = Duration.ofMillis(300);

    @Autowired
    ReportPublisher publisher;

    @Autowired
    Leadership leadership;

    @Autowired
    InMemoryLockCluster cluster;

    @Autowired
    InMemoryLockRegistry registry;

    @Test
    void onlyTheLeaderPublishes() {
        awaitLeader(leadership);
        FencingToken first = leadership.token().orElseThrow();
        publisher.request("a report");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(publisher.published()).containsExactly("a report by " + first));
        publisher.summarize();
        assertThat(publisher.summaries()).isOne();

        try (Leadership other = cluster.join().leadership("/reports")) {
            other.start();
            stepDownUntilLeader(other);
            publisher.request("another report");
            publisher.summarize();

            assertThat(publisher.published()).hasSize(1);
            assertThat(publisher.summaries()).isOne();
        }

        awaitLeader(leadership);
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(publisher.published()).hasSize(2));
    }

    @Test
    void suspendedLeaderContinuesInTheSameTerm() {
        awaitLeader(leadership);
        FencingToken token = leadership.token().orElseThrow();
        registry.suspend();
        assertThat(leadership.isLeader()).isFalse();
        publisher.request("a late report");
        Awaitility.await()
                .during(PUBLISHED_OTHERWISE)
                .until(() -> publisher.published().isEmpty());

        registry.resume();

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(publisher.published()).containsExactly("a late report by " + token));
    }

    /** The first candidate may win again as long as the other is not in the queue. */
    private void stepDownUntilLeader(Leadership other) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            if (other.isLeader()) {
                return true;
            }
            leadership.stepDown(Duration.ZERO);
            return false;
        });
    }

    private static void awaitLeader(Leadership candidate) {
        Awaitility.await().atMost(PATIENCE).until(candidate::isLeader);
    }
}
