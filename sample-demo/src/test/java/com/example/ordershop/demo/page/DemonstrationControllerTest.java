package com.example.ordershop.demo.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** The scenario of this test needs no shops, so that it takes only a few seconds. */
@WebMvcTest(DemonstrationController.class)
@Import(DemonstrationRunner.class)
class DemonstrationControllerTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    @Autowired
    private MockMvcTester page;

    @Test
    void aScenarioRunsToItsVerdictAndExcludesOthers() {
        assertThat(page.post().uri("/demonstration/queue"))
                .hasStatus(HttpStatus.ACCEPTED)
                .bodyJson()
                .hasPathSatisfying("running", running -> assertThat(running).isEqualTo(true))
                .hasPathSatisfying("scenario", name -> assertThat(name).isEqualTo("queue"))
                .hasPathSatisfying("startedAt", at -> assertThat(at).asString().startsWith("20"));
        assertThat(page.post().uri("/demonstration/off")).hasStatus(HttpStatus.CONFLICT);

        awaitEnd();
        assertThat(page.get().uri("/demonstration"))
                .bodyJson()
                .hasPathSatisfying(
                        "verdicts[0].scenario", name -> assertThat(name).isEqualTo("queue"))
                .hasPathSatisfying(
                        "verdicts[0].passed", passed -> assertThat(passed).isEqualTo(true))
                .hasPathSatisfying(
                        "verdicts[0].text", text -> assertThat(text).asString().contains("in the order of"))
                .hasPathSatisfying(
                        "lines[0].text", text -> assertThat(text).asString().startsWith("ZooKeeper 127."))
                .hasPathSatisfying(
                        "lines[0].at", at -> assertThat(at).asString().startsWith("20"));
    }

    @Test
    void aScenarioThatIsStoppedLeavesNothingAndNoVerdict() {
        long before = ProcessHandle.current().children().count();
        page.post().uri("/demonstration/off").exchange();

        assertThat(page.delete().uri("/demonstration")).hasStatusOk();

        awaitEnd();
        assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
        assertThat(page.get().uri("/demonstration"))
                .bodyText()
                .contains("off: stopped")
                .doesNotContain("\"scenario\":\"off\",\"passed\"");
    }

    @Test
    void theReportListsTheScenarios() {
        assertThat(page.get().uri("/demonstration"))
                .bodyJson()
                .extractingPath("scenarios[*].name")
                .asArray()
                .containsExactly("off", "on", "queue", "paused", "killed");
        assertThat(page.post().uri("/demonstration/of")).hasStatus(HttpStatus.NOT_FOUND);
    }

    @Test
    void shopsOfADemonstrationStartNoScenarios() {
        new WebApplicationContextRunner()
                .withUserConfiguration(DemonstrationRunner.class, DemonstrationController.class)
                .withPropertyValues("ordershop.demonstration=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DemonstrationRunner.class)
                        .doesNotHaveBean(DemonstrationController.class));
    }

    private void awaitEnd() {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(page.get().uri("/demonstration"))
                        .bodyJson()
                        .extractingPath("running")
                        .isEqualTo(false));
    }
}
