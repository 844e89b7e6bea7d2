package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.annotation.RunOncePer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DeclaredJobsTest {

    private final ApplicationContextRunner shop = new ApplicationContextRunner()
            .withBean(Reports.class)
            .withPropertyValues("shop.night=/jobs/night", "shop.window=1d");

    @Test
    void jobsHaveTheirNamesAndWindows() {
        shop.run(context -> assertThat(DeclaredJobs.of(context.getBeanFactory()))
                .containsExactly(new LocksReport.Job("/closing", "1h"), new LocksReport.Job("/jobs/night", "1d")));
    }

    static class Reports {

        @RunOncePer(name = "${shop.night}", window = "${shop.window}")
        void night() {}

        @RunOncePer(name = "/closing", window = "1h")
        void closing() {}

        @RunOncePer(name = "/shops/#{#shop}", window = "1h")
        void ofAShop(int shop) {}

        void noJob() {}
    }
}
