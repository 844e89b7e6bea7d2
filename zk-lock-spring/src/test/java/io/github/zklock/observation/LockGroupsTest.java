package io.github.zklock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.LockName;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockGroupsTest {

    private final LockGroups groups = new LockGroups(List.of("orders/vip/*", "/orders/**"));

    @Test
    void theFirstPatternThatMatchesIsTheGroup() {
        assertThat(groups.of(LockName.of("/orders/vip/7"))).isEqualTo("/orders/vip/*");
        assertThat(groups.of(LockName.of("/orders/eu/42"))).isEqualTo("/orders/**");
    }

    @Test
    void locksThatMatchNoPatternAreOneGroup() {
        assertThat(groups.of(LockName.of("/customers/4711"))).isEqualTo("other");
    }

    @Test
    void aPatternThatMatchesNoLockIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockGroups(List.of("/orders/{id}")))
                .withMessageContaining("braces");
    }
}
