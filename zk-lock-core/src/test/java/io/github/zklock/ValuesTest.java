package io.github.zklock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.internal.Words;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The value classes of the API. */
class ValuesTest {

    @Test
    void tokensAreOrderedByTheirNumber() {
        FencingToken low = new FencingToken(41);
        FencingToken high = new FencingToken(42);

        assertThat(low).isLessThan(high).isEqualTo(new FencingToken(41)).hasToString("41");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void tokensArePositive(long refused) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new FencingToken(refused))
                .withMessageContaining(Long.toString(refused));
    }

    @Test
    void releasedAndLostAreFinal() {
        assertThat(LockState.values())
                .filteredOn(LockState::isFinal)
                .containsExactlyInAnyOrder(LockState.RELEASED, LockState.LOST);
    }

    @Test
    void handOffKeepsItsBoundsWhenItLingers() {
        HandOff lingering = HandOff.bounded(7, Duration.ofMillis(9)).lingering(Duration.ofSeconds(1));

        assertThat(lingering)
                .isEqualTo(new HandOff(HandOff.Policy.BOUNDED, 7, Duration.ofMillis(9), Duration.ofSeconds(1)));
        assertThat(HandOff.strict().linger()).isZero();
    }

    @Test
    void handOffRefusesWhatMakesNoSense() {
        Duration millisecond = Duration.ofMillis(1);

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> HandOff.bounded(0, millisecond))
                .withMessageContaining("max-turns 0");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> HandOff.bounded(1, Duration.ZERO))
                .withMessageContaining("max-time 0 s");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> HandOff.bounded(1, millisecond).lingering(millisecond.negated()))
                .withMessageContaining("linger -1 ms");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> HandOff.strict().lingering(millisecond))
                .withMessageContaining("STRICT");
        assertThatNullPointerException().isThrownBy(() -> new HandOff(null, 1, millisecond, Duration.ZERO));
    }

    @Test
    void policyChangesOnlyWhatItIsTold() {
        Duration second = Duration.ofSeconds(1);

        LockPolicy changed =
                LockPolicy.defaults().handOff(HandOff.strict()).maxHold(second).holdWarning(null);

        assertThat(changed).isEqualTo(new LockPolicy(HandOff.strict(), second, null));
        assertThat(changed.maxHold(null).holdWarning(second)).isEqualTo(new LockPolicy(HandOff.strict(), null, second));
    }

    @Test
    void policyRefusesWhatMakesNoSense() {
        List<Duration> tooShort = List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1));
        LockPolicy usual = LockPolicy.defaults();

        assertThat(tooShort).allSatisfy(refused -> {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> usual.maxHold(refused))
                    .withMessageContaining("maximum hold " + Words.of(refused));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> usual.holdWarning(refused))
                    .withMessageContaining("hold warning threshold " + Words.of(refused));
        });
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> usual.maxHold(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("24 days");
        assertThatNullPointerException().isThrownBy(() -> usual.handOff(null));
    }

    static List<LockException> exceptions() {
        LockName name = LockName.of("/orders");
        IllegalStateException cause = new IllegalStateException("cause");
        return List.of(
                new LockTimeoutException(name, "message"),
                new LockUnavailableException(name, "message", cause),
                new LockLostException(name, "message"),
                new LockMismatchException(name, "message"),
                new LockOrderException(name, "message", cause),
                new LockAccessDeniedException(name, "message", cause),
                new LockRegistryClosedException(name, "message"));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void exceptionsKnowTheirLock(LockException exception) {
        assertThat(exception.name()).isEqualTo(LockName.of("/orders"));
        assertThat(exception).hasMessage("message");
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void exceptionsCanBeSentToAnotherProcess(LockException exception) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(exception);
        }

        Object read;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            read = in.readObject();
        }

        assertThat(read)
                .isInstanceOfSatisfying(
                        exception.getClass(), copy -> assertThat(copy.name()).isEqualTo(exception.name()));
    }
}
