package io.github.zklock.autoconfigure.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ServerDiagnosisTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void namesAServerThatRefusesConnections() {
        ServerDiagnosis diagnosis = ServerDiagnosis.begin("127.0.0.1:1", null, LONG);

        Awaitility.await().atMost(LONG).until(() -> diagnosis.text().equals("127.0.0.1:1 refuses connections"));
        assertThat(diagnosis.remedy()).isEmpty();
    }
}
