package io.github.zklock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.support.NamePrefix;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyNamesTest {

    private final KeyNames names = new KeyNames(new NamePrefix("/integration"));

    @Test
    void aStringIsReadableInTheNameOfItsLock() {
        assertThat(names.nameOf("orders").value()).isEqualTo("/integration/string/orders");
    }

    @Test
    void aSlashInAKeyDoesNotStartASegment() {
        assertThat(names.nameOf("orders/42").segments()).containsExactly("integration", "string", "orders%2F42");
        assertThat(names.nameOf("orders/42")).isNotEqualTo(names.nameOf("orders%2F42"));
    }

    @Test
    void aKeyThatIsALockNameIsBelowThePrefixToo() {
        assertThat(names.nameOf("/orders").value()).isEqualTo("/integration/string/%2Forders");
    }

    @Test
    void equalKeysHaveOneName() {
        UUID id = UUID.randomUUID();

        assertThat(names.nameOf(id)).isEqualTo(names.nameOf(UUID.fromString(id.toString())));
        assertThat(names.nameOf(new BigInteger("7"))).isEqualTo(names.nameOf(BigInteger.valueOf(7)));
    }

    @Test
    void keysThatAreNotEqualHaveDifferentNames() {
        List<Object> keys = List.of(
                "7",
                7,
                7L,
                (short) 7,
                (byte) 7,
                '7',
                BigInteger.valueOf(7),
                "true",
                true,
                "",
                " ",
                "SECONDS",
                TimeUnit.SECONDS,
                TimeUnit.class.getName() + ".SECONDS",
                Other.SECONDS);

        assertThat(keys.stream().map(names::nameOf)).doesNotHaveDuplicates();
    }

    @Test
    void aConstantWithABodyHasTheNameOfItsEnum() {
        assertThat(names.nameOf(Other.WITH_BODY).value()).endsWith("$Other.WITH_BODY");
    }

    static Stream<Object> keysWithoutATextOfTheirOwn() {
        return Stream.of(new Object(), List.of("a"), new byte[] {1}, new BigDecimal("1.0"), 1.5d, Optional.of("a"));
    }

    @ParameterizedTest
    @MethodSource("keysWithoutATextOfTheirOwn")
    void keysWhoseTextMayDifferBetweenProcessesAreRejected(Object key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.nameOf(key))
                .withMessageContaining(key.getClass().getTypeName())
                .withMessageContaining("convert the key to a String");
    }

    @Test
    void nullIsRejected() {
        assertThatNullPointerException().isThrownBy(() -> names.nameOf(null)).withMessageContaining("key");
    }

    private enum Other {
        SECONDS,
        WITH_BODY {
            @Override
            public String toString() {
                return "something else";
            }
        }
    }
}
