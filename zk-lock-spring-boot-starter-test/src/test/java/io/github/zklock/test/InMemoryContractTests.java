package io.github.zklock.test;

import io.github.zklock.contract.AllOfContract;
import io.github.zklock.contract.AllOfHandleContract;
import io.github.zklock.contract.AllOfScopeContract;
import io.github.zklock.contract.AsyncContract;
import io.github.zklock.contract.BadInputContract;
import io.github.zklock.contract.ClosingContract;
import io.github.zklock.contract.ClusterFixture;
import io.github.zklock.contract.DeadlineContract;
import io.github.zklock.contract.EventContract;
import io.github.zklock.contract.HandleContract;
import io.github.zklock.contract.HoldLimitContract;
import io.github.zklock.contract.InspectorContract;
import io.github.zklock.contract.JobContract;
import io.github.zklock.contract.KindContract;
import io.github.zklock.contract.KindInspectorContract;
import io.github.zklock.contract.LeadershipContract;
import io.github.zklock.contract.LingerContract;
import io.github.zklock.contract.LockContract;
import io.github.zklock.contract.NameContract;
import io.github.zklock.contract.PolicyContract;
import io.github.zklock.contract.ReadWriteContract;
import io.github.zklock.contract.ReadWriteOrderContract;
import io.github.zklock.contract.ReadWriteScopeContract;
import io.github.zklock.contract.ReadWriteTroubleContract;
import io.github.zklock.contract.ScopeContract;
import io.github.zklock.contract.SemaphoreContract;
import io.github.zklock.contract.SemaphoreOrderContract;
import io.github.zklock.contract.SemaphoreTroubleContract;
import org.junit.jupiter.api.Nested;

/** The contract suites on the cluster in memory. */
class InMemoryContractTests {

    @Nested
    class Locks extends LockContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Leaderships extends LeadershipContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Jobs extends JobContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Handles extends HandleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Closings extends ClosingContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Scopes extends ScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Deadlines extends DeadlineContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Names extends NameContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Inspectors extends InspectorContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class BadInput extends BadInputContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class AllOf extends AllOfContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class AllOfHandles extends AllOfHandleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class AllOfScopes extends AllOfScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class ReadWrite extends ReadWriteContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class ReadWriteOrder extends ReadWriteOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class ReadWriteScopes extends ReadWriteScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class ReadWriteTrouble extends ReadWriteTroubleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Semaphores extends SemaphoreContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class SemaphoreOrder extends SemaphoreOrderContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class SemaphoreTrouble extends SemaphoreTroubleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Kinds extends KindContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class KindInspectors extends KindInspectorContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Limits extends HoldLimitContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Policies extends PolicyContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }

    @Nested
    class Lingering extends LingerContract {
        @Override
        protected ClusterFixture newCluster() {
            return new MemoryCluster();
        }
    }
}
