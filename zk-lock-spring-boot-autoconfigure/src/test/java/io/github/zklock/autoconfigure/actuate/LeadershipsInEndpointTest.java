package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.autoconfigure.actuate.LocksReport.Candidacy;
import io.github.zklock.autoconfigure.leadership.ZkLockLeadershipAutoConfiguration;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;

class LeadershipsInEndpointTest {

    @Test
    void showsEachCandidacyAndWhetherItLeads() {
        Contexts.connected()
                .withConfiguration(AutoConfigurations.of(
                        ZkLockAopAutoConfiguration.class,
                        ZkLockLeadershipAutoConfiguration.class,
                        ZkLockEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "zk.lock.leadership[0]=/endpoint/reports", "management.endpoints.web.exposure.include=zklocks")
                .run(context -> {
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    Leadership leadership = context.getBean(Leadership.class);
                    Awaitility.await().until(leadership::isLeader);
                    String token = leadership.token().orElseThrow().toString();

                    assertThat(leaderships(endpoint)).containsExactly(new Candidacy("/endpoint/reports", true, token));

                    leadership.stepDown(Duration.ofHours(1));

                    Awaitility.await()
                            .untilAsserted(() -> assertThat(leaderships(endpoint))
                                    .containsExactly(new Candidacy("/endpoint/reports", false, null)));
                });
    }

    private static List<Candidacy> leaderships(LocksEndpoint endpoint) throws InterruptedException {
        return endpoint.locks(null, null, null, null, null, null).leaderships();
    }
}
