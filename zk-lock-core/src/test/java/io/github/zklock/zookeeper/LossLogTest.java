package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.internal.local.Announcer;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LossLogTest {

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void lossIsLoggedWithATimeThatPeopleRead() throws Exception {
        ZooKeeperLockRegistry registry = real.registry();
        LockHandle held = registry.lock("/lost").acquire();

        try (CapturedLog log = new CapturedLog(Announcer.class)) {
            registry.inspector()
                    .evict("/lost", registry.inspector().held().get(0).seatId());

            log.await("WARN Lock '/lost' held by ");
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .matches(".* was lost after [0-9.]+ m?s: .*; work under token " + held.fencingToken()
                            + " must stop");
        }
    }
}
