package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockInspector.Owner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerDescriptionTest {

    private static final Instant SINCE = Instant.parse("2026-11-20T03:00:00.125Z");

    @Test
    void readsEachFieldThatItWrites() {
        OwnerDescription owner = new OwnerDescription("shop-1", "host-7", 4711);

        assertThat(OwnerDescription.read(owner.write("http-3", SINCE, Demand.READ)))
                .contains(new Owner("shop-1", "host-7", 4711, "http-3", SINCE));
        assertThat(owner.instance()).isEqualTo("shop-1");
    }

    @Test
    void objectWithoutAnInstanceDescribesNoOwner() {
        assertThat(read("{\"host\":\"host-7\",\"pid\":1}")).isEmpty();
    }

    @Test
    void missingFieldsOfOtherClientsAreReadAsUnknown() {
        assertThat(read("{\"instance\":\"shop-1\"}")).contains(new Owner("shop-1", "", 0, "", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"yesterday\"", "7"})
    void instantThatCannotBeReadIsUnknown(String since) {
        assertThat(read("{\"instance\":\"shop-1\",\"since\":" + since + "}"))
                .hasValueSatisfying(owner -> assertThat(owner.since()).isNull());
    }

    @Test
    void markOfAnIdleSeatIsTheNumberOne() {
        assertThat(isIdle("{\"idle\":1}")).isTrue();
        assertThat(isIdle("{\"idle\":0}")).isFalse();
        assertThat(isIdle("{\"idle\":\"1\"}")).isFalse();
    }

    private static Optional<Owner> read(String json) {
        return OwnerDescription.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isIdle(String json) {
        return OwnerDescription.isIdle(json.getBytes(StandardCharsets.UTF_8));
    }
}
