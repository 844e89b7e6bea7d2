package io.github.zklock.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.Shop.StatsController;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@WebMvcTest(StatsController.class)
@ContextConfiguration(classes = Shop.class)
@Import(StatsController.class)
@AutoConfigureZkLock
class WebSliceTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private LockRecording recording;

    @Test
    void annotatedMethodsOfASliceAreLocked() {
        assertThat(mvc.get().uri("/stats/north")).hasStatusOk().hasBodyTextEqualTo("held: true");

        assertThat(recording.released()).containsExactly("/stats/north");
    }
}
