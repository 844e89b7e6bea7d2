package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
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
import io.github.zklock.contract.LeadershipContract;
import io.github.zklock.contract.LingerContract;
import io.github.zklock.contract.LockContract;
import io.github.zklock.contract.NameContract;
import io.github.zklock.contract.PolicyContract;
import io.github.zklock.contract.ScopeContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** The contracts on the engine with a real server: all of them bounded, those that depend on the hand-off also else. */
class ZooKeeperContractTests {

    private static final HandOff BOUNDED = LockPolicy.defaults().handOff();
    private static final HandOff LINGER = BOUNDED.lingering(Duration.ofMillis(200));

    @Nested
    class Closings extends ClosingContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class ClosingsLingering extends ClosingContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class Locks extends LockContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class LocksStrict extends LockContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class LocksLingering extends LockContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class Leaderships extends LeadershipContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class LeadershipsLingering extends LeadershipContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class Jobs extends JobContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class JobsLingering extends JobContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(LINGER);
        }
    }

    @Nested
    class Handles extends HandleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class HandlesStrict extends HandleContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class AsyncStrict extends AsyncContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }

    @Nested
    class Scopes extends ScopeContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Deadlines extends DeadlineContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Names extends NameContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Inspectors extends InspectorContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class BadInput extends BadInputContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Limits extends HoldLimitContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Policies extends PolicyContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class Lingering extends LingerContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED);
        }
    }

    @Nested
    class LingeringOnBothSides extends LingerContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(BOUNDED.lingering(Duration.ofMinutes(10)));
        }
    }

    @Nested
    class LingeringAndStrict extends LingerContract {
        @Override
        protected ClusterFixture newCluster() {
            return new ZooKeeperCluster(HandOff.strict());
        }
    }
}
