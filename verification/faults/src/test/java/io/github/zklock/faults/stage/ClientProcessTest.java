package io.github.zklock.faults.stage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.Java;
import io.github.zklock.faults.rig.Release;
import io.github.zklock.faults.stage.Variant.Kind;
import io.github.zklock.faults.stage.Variant.Policy;
import io.github.zklock.faults.stage.Variant.Surface;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientProcessTest {

    private static final Variant VARIANT = new Variant(
            Timeline.OURS, Policy.BOUNDED, Kind.EXCLUSIVE, Surface.REGISTRY, Java.own(), Release.own(), List.of());

    @TempDir
    Path folder;

    @Test
    void oneThatEndsByItselfIsTold() {
        List<String> place = List.of("127.0.0.1:1", "/base", "not a session timeout");
        try (ClientProcess client =
                new ClientProcess(VARIANT, "client", place, 1, Equipment.USUAL, folder, new Timeline())) {
            String told = "client ended by itself with exit value 1: see " + folder.resolve("client.log");

            assertThatThrownBy(client::awaitEnd)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(told);
            assertThatThrownBy(client::requireAlive)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(told);
        }
    }
}
