package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedZooKeeperExtension.class)
class EmbeddedZooKeeperExtensionTest {

    private final EmbeddedZooKeeper ofInstance;

    EmbeddedZooKeeperExtensionTest(EmbeddedZooKeeper server) {
        this.ofInstance = server;
    }

    @Test
    void resolvesOneServerForAllParametersOfAClass(EmbeddedZooKeeper server) {
        assertThat(server).isSameAs(ofInstance);
    }

    @Test
    void failsIfUsedBeforeTheFirstTest() {
        EmbeddedZooKeeperExtension fresh = new EmbeddedZooKeeperExtension();

        assertThatIllegalStateException()
                .isThrownBy(fresh::connectString)
                .withMessageStartingWith("The embedded ZooKeeper server is not started yet");
    }

    @Nested
    class Inside {

        @Test
        void sharesTheServerOfTheEnclosingClass(EmbeddedZooKeeper server) {
            assertThat(server).isSameAs(ofInstance);
        }
    }
}
