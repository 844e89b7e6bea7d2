package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class SeatIdsTest {

    private final SeatIds ids = new SeatIds(new UUID(0x0243a9be_7b6f_1c5dL, 0), () -> 42);

    @Test
    void idsAreRandomUuidsWithTheUpperHalfOfTheRegistry() {
        UUID id = ids.next();

        assertThat(id).hasToString("0243a9be-7b6f-4c5d-0000-00000000002a");
        assertThat(id.version()).isEqualTo(4);
    }

    @Test
    void registryIsTheUpperHalfOfItsIdsWithoutTheVersion() {
        String id = ids.next().toString();

        assertThat(ids.registry()).isEqualTo("0243a9be-7b6f-c5d");
        assertThat(SeatIds.registryOf(id)).isEqualTo(ids.registry());
        assertThat(SeatIds.registryOf(SeatName.lingering(id))).isEqualTo(ids.registry());
    }

    @Test
    void shortIdOfAnotherClientIsItsOwnRegistry() {
        assertThat(SeatIds.registryOf("lock-000000000001")).isEqualTo("lock-000000000001");
        assertThat(SeatIds.registryOf("0243a9be-7b6f-4c5d")).isEqualTo("0243a9be-7b6f-c5d");
    }

    @Test
    void idsOfTheRegistryAreRecognizedWhetherTheyMayLingerOrNot() {
        String id = ids.next().toString();

        assertThat(ids.areOurs(id)).isTrue();
        assertThat(ids.areOurs(SeatName.lingering(id))).isTrue();
        assertThat(ids.areOurs("1243a9be-7b6f-4c5d-0000-00000000002a")).isFalse();
        assertThat(ids.areOurs("0243a9be-7b6f-4c5e-0000-00000000002a")).isFalse();
        assertThat(ids.areOurs("0243a9be-7b6f-4")).isFalse();
        assertThat(ids.areOurs("lock-0000000001")).isFalse();
    }

    @Test
    void registriesDiffer() {
        SeatIds one = SeatIds.random();
        SeatIds other = SeatIds.random();

        assertThat(other.areOurs(one.next().toString())).isFalse();
        assertThat(one.next()).isNotEqualTo(one.next());
    }
}
