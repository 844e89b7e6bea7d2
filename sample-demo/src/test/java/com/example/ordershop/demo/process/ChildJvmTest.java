package com.example.ordershop.demo.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {

    static final class Failing {

        public static void main(String[] arguments) {
            System.out.println("READY " + arguments[0]);
            System.out.println("no server at port 1");
            System.exit(3);
        }
    }

    @Test
    void aProcessThatEndsFailsTheScenarioWithItsLastOutput(@TempDir Path folder) throws InterruptedException {
        try (ChildJvm child = ChildJvm.start(
                "shop-3", folder, List.of("-Xmx16m"), List.of(Failing.class.getName(), "now"), Map.of())) {

            assertThat(child.awaitLine("READY ", "it is ready")).isEqualTo("now");
            assertThatExceptionOfType(ScenarioException.class)
                    .isThrownBy(() -> child.await("it is open", () -> false))
                    .withMessageContaining(child + " has ended with exit code 3 before this: it is open")
                    .withMessageContaining("Its last output:")
                    .withMessageContaining("no server at port 1");
        }
    }
}
