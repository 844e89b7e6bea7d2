package com.example.ordershop.demo.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopProcessTest {

    @Test
    void aShopThatHasEndedFailsTheScenarioWithTheReason(@TempDir Path folder) {
        ShopProcess gone = ShopProcess.start(
                "shop-3",
                folder,
                new Servers("127.0.0.1:1", "jdbc:h2:mem:x;IFEXISTS=TRUE", "", ""),
                ShopCluster.BASE_PATH,
                ShopCluster.SESSION_TIMEOUT);

        assertThatThrownBy(gone::awaitOpen)
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("shop-3 (pid " + gone.pid() + ") has ended with exit code 1")
                .hasMessageContaining("Its last output:");
        assertThatThrownBy(gone::client).isInstanceOf(IllegalStateException.class);
    }
}
