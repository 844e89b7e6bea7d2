package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
import io.github.zklock.contract.AllOfContract;
import io.github.zklock.contract.AllOfHandleContract;
import io.github.zklock.contract.AllOfScopeContract;
import io.github.zklock.contract.ClusterFixture;
import io.github.zklock.contract.KindContract;
import io.github.zklock.contract.KindInspectorContract;
import io.github.zklock.contract.ReadWriteContract;
import io.github.zklock.contract.ReadWriteOrderContract;
import io.github.zklock.contract.ReadWriteScopeContract;
import io.github.zklock.contract.ReadWriteTroubleContract;
import io.github.zklock.contract.SemaphoreContract;
import io.github.zklock.contract.SemaphoreOrderContract;
import io.github.zklock.contract.SemaphoreTroubleContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** The contracts of the other kinds of lock on the engine with a real server. */
class ZooKeeperKindContractTests {

    private static final HandOff BOUNDED = LockPolicy.defaults().handOff();
    private static final HandOff LINGER = BOUNDED.lingering(Duration.ofMillis(200));

    @Nested
    class AllOf extends AllOfContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class AllOfHandles extends AllOfHandleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class AllOfScopes extends AllOfScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class ReadWrite extends ReadWriteContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class ReadWriteStrict extends ReadWriteContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class ReadWriteLingering extends ReadWriteContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class ReadWriteOrder extends ReadWriteOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class ReadWriteOrderStrict extends ReadWriteOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class ReadWriteOrderLingering extends ReadWriteOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class ReadWriteScopes extends ReadWriteScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class ReadWriteScopesStrict extends ReadWriteScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class ReadWriteScopesLingering extends ReadWriteScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class ReadWriteTrouble extends ReadWriteTroubleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Semaphores extends SemaphoreContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class SemaphoresStrict extends SemaphoreContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class SemaphoreOrder extends SemaphoreOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class SemaphoreOrderStrict extends SemaphoreOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class SemaphoreTrouble extends SemaphoreTroubleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Kinds extends KindContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class KindsLingering extends KindContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class KindInspectors extends KindInspectorContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }
}
