package io.github.zklock.faults.context;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Timeline;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientProcessTest {

    private static final Variant VARIANT = new Variant(
            Timeline.OURS, Policy.BOUNDED, Kind.EXCLUSIVE, Surface.REGISTRY, Jdk.own(), ServerRelease.own(), List.of());

    @TempDir
    Path folder;

    @Test
    void unexpectedEndIsReported() {
        List<String> connection = List.of("127.0.0.1:1", "/base", "not a session timeout");
        try (ClientProcess client =
                new ClientProcess(VARIANT, "client", connection, 1, ClientOptions.DEFAULT, folder, new Timeline())) {
            String message = "client ended by itself with exit value 1: see " + folder.resolve("client.log");

            assertThatThrownBy(client::awaitEnd)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(message);
            assertThatThrownBy(client::requireAlive)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(message);
        }
    }
}
