package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockInspector.Owner;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LabelTest {

    private final Label label = new Label(new OwnerDescription("shop-1", "host-7", 4711), "http-3", Instant.EPOCH);

    @Test
    void dataOfASeatDescribesItsOwnerWhetherTheSeatIsIdleOrNot() {
        Owner owner = new Owner("shop-1", "host-7", 4711, "http-3", Instant.EPOCH);

        assertThat(OwnerDescription.read(label.on(Demand.WRITE))).contains(owner);
        assertThat(OwnerDescription.isIdle(label.on(Demand.WRITE))).isFalse();
        assertThat(OwnerDescription.read(label.idleOn(Demand.WRITE))).contains(owner);
        assertThat(OwnerDescription.isIdle(label.idleOn(Demand.WRITE))).isTrue();
    }
}
