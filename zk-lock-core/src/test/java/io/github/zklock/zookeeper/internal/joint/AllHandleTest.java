package io.github.zklock.zookeeper.internal.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.FakeHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllHandleTest {

    private final List<String> log = new ArrayList<>();
    private final FakeHandle a = new FakeHandle(LockName.of("/a"), log);
    private final FakeHandle b = new FakeHandle(LockName.of("/b"), log);
    private final FakeHandle c = new FakeHandle(LockName.of("/c"), log);
    private final AllHandle whole = new AllHandle(List.of(a, b, c), null);

    @Test
    void partsAreClosedInReverseOrder() {
        whole.close();

        assertThat(log).containsExactly("close /c", "close /b", "close /a");
    }

    @Test
    void everyPartIsClosedWhateverFails() {
        IllegalStateException first = new IllegalStateException("of /c");
        IllegalStateException second = new IllegalStateException("of /b");
        c.onClose(() -> {
            throw first;
        });
        b.onClose(() -> {
            throw second;
        });

        assertThatThrownBy(whole::close).isSameAs(first).hasSuppressedException(second);

        assertThat(log).containsExactly("close /c", "close /b", "close /a");
        assertThat(whole.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void lossComesBeforeOtherFailures() {
        IllegalStateException failure = new IllegalStateException("of /c");
        c.onClose(() -> {
            throw failure;
        });
        a.become(LockState.LOST);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(whole::close)
                .satisfies(loss -> assertThat(loss.name()).isEqualTo(a.name()))
                .satisfies(loss -> assertThat(loss).hasSuppressedException(failure));
    }

    @Test
    void lossAfterTheCloseHasBegunIsNone() {
        c.onClose(() -> a.become(LockState.LOST));

        assertThatCode(whole::close).doesNotThrowAnyException();

        assertThat(whole.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void remainingTimeIsTheLeast() {
        b.remaining(Duration.ofMillis(7));

        assertThat(whole.remaining()).isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void limitIsThatOfEveryPart() {
        whole.loseAfter(Duration.ofSeconds(3));

        assertThat(List.of(a, b, c)).extracting(FakeHandle::limit).containsOnly(Duration.ofSeconds(3));
    }

    @Test
    void worstStateOfAPartIsThatOfTheWhole() {
        assertThat(whole.state()).isEqualTo(LockState.HELD);
        a.become(LockState.SUSPENDED);
        assertThat(whole.state()).isEqualTo(LockState.SUSPENDED);
        c.become(LockState.LOST);
        assertThat(whole.state()).isEqualTo(LockState.LOST);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(whole::ensureHeld)
                .satisfies(loss -> assertThat(loss.name()).isEqualTo(c.name()));
    }

    @Test
    void wholeIsNotHeldWithoutAPartThatWasClosedByItself() {
        b.close();

        assertThat(whole.isHeld()).isFalse();
        assertThat(whole.state()).isEqualTo(LockState.RELEASED);
        assertThat(whole.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(whole::ensureHeld);
        assertThatCode(whole::close).doesNotThrowAnyException();
        assertThat(log).endsWith("close /c", "close /b", "close /a");
    }
}
