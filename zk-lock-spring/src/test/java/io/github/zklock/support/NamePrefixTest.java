package io.github.zklock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.LockName;
import org.junit.jupiter.api.Test;

class NamePrefixTest {

    @Test
    void textIsOneSegmentBelowThePrefix() {
        NamePrefix prefix = new NamePrefix("a/b/");

        assertThat(prefix.nameOf("c/d")).isEqualTo(LockName.of("/a/b/c%2Fd"));
        assertThat(prefix.nameOf("kind", "c/d")).isEqualTo(LockName.of("/a/b/kind/c%2Fd"));
    }

    @Test
    void theLongestPrefixLeavesRoomForAnyText() {
        NamePrefix prefix = new NamePrefix("p".repeat(NamePrefix.MAX_LENGTH - 1));

        assertThat(prefix.nameOf("biginteger", "9".repeat(5000)).value()).hasSizeLessThan(LockName.MAX_LENGTH);
    }

    @Test
    void aPrefixThatIsNoLockNameIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NamePrefix("a//b"))
                .withMessageContaining("a//b");
    }

    @Test
    void aPrefixThatIsTooLongIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NamePrefix("p".repeat(NamePrefix.MAX_LENGTH)))
                .withMessageContaining("129");
    }
}
