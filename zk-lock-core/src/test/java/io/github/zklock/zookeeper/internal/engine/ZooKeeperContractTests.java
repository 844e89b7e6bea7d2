package io.github.zklock.zookeeper.internal.engine;

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
import io.github.zklock.contract.OnCluster;
import io.github.zklock.contract.PolicyContract;
import io.github.zklock.contract.ReadWriteContract;
import io.github.zklock.contract.ReadWriteOrderContract;
import io.github.zklock.contract.ReadWriteScopeContract;
import io.github.zklock.contract.ReadWriteTroubleContract;
import io.github.zklock.contract.ScopeContract;
import io.github.zklock.contract.SemaphoreContract;
import io.github.zklock.contract.SemaphoreOrderContract;
import io.github.zklock.contract.SemaphoreTroubleContract;
import org.junit.jupiter.api.Tag;

/**
 * The contracts on a real server. Each contract is a top-level class, so that Surefire's processes share the work. The
 * default build runs each contract with the default hand-off. The full build also runs the contracts that depend on the
 * hand-off with the other hand-offs, which the default build tests in memory.
 */
interface ZooKeeperContractTests extends OnCluster {

    @Override
    default ClusterFixture newCluster() {
        return new ZooKeeperCluster(handOff());
    }

    @Tag("variant")
    interface Strict extends ZooKeeperContractTests, OnCluster.Strict {}

    @Tag("variant")
    interface Lingering extends ZooKeeperContractTests, OnCluster.Lingering {}

    @Tag("variant")
    interface LingeringLong extends ZooKeeperContractTests, OnCluster.LingeringLong {}
}

class ZooKeeperAllOfContractTest extends AllOfContract implements ZooKeeperContractTests {}

class ZooKeeperAllOfHandleContractTest extends AllOfHandleContract implements ZooKeeperContractTests {}

class ZooKeeperAllOfScopeContractTest extends AllOfScopeContract implements ZooKeeperContractTests {}

class ZooKeeperAsyncContractTest extends AsyncContract implements ZooKeeperContractTests {}

class ZooKeeperBadInputContractTest extends BadInputContract implements ZooKeeperContractTests {}

class ZooKeeperClosingContractTest extends ClosingContract implements ZooKeeperContractTests {}

class ZooKeeperDeadlineContractTest extends DeadlineContract implements ZooKeeperContractTests {}

class ZooKeeperEventContractTest extends EventContract implements ZooKeeperContractTests {}

class ZooKeeperHandleContractTest extends HandleContract implements ZooKeeperContractTests {}

class ZooKeeperHoldLimitContractTest extends HoldLimitContract implements ZooKeeperContractTests {}

class ZooKeeperInspectorContractTest extends InspectorContract implements ZooKeeperContractTests {}

class ZooKeeperJobContractTest extends JobContract implements ZooKeeperContractTests {}

class ZooKeeperKindContractTest extends KindContract implements ZooKeeperContractTests {}

class ZooKeeperKindInspectorContractTest extends KindInspectorContract implements ZooKeeperContractTests {}

class ZooKeeperLeadershipContractTest extends LeadershipContract implements ZooKeeperContractTests {}

class ZooKeeperLingerContractTest extends LingerContract implements ZooKeeperContractTests {}

class ZooKeeperLockContractTest extends LockContract implements ZooKeeperContractTests {}

class ZooKeeperNameContractTest extends NameContract implements ZooKeeperContractTests {}

class ZooKeeperPolicyContractTest extends PolicyContract implements ZooKeeperContractTests {}

class ZooKeeperReadWriteContractTest extends ReadWriteContract implements ZooKeeperContractTests {}

class ZooKeeperReadWriteOrderContractTest extends ReadWriteOrderContract implements ZooKeeperContractTests {}

class ZooKeeperReadWriteScopeContractTest extends ReadWriteScopeContract implements ZooKeeperContractTests {}

class ZooKeeperReadWriteTroubleContractTest extends ReadWriteTroubleContract implements ZooKeeperContractTests {}

class ZooKeeperScopeContractTest extends ScopeContract implements ZooKeeperContractTests {}

class ZooKeeperSemaphoreContractTest extends SemaphoreContract implements ZooKeeperContractTests {}

class ZooKeeperSemaphoreOrderContractTest extends SemaphoreOrderContract implements ZooKeeperContractTests {}

class ZooKeeperSemaphoreTroubleContractTest extends SemaphoreTroubleContract implements ZooKeeperContractTests {}

// with other hand-offs

class ZooKeeperStrictAsyncContractTest extends AsyncContract implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringClosingContractTest extends ClosingContract implements ZooKeeperContractTests.Lingering {}

class ZooKeeperStrictHandleContractTest extends HandleContract implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringJobContractTest extends JobContract implements ZooKeeperContractTests.Lingering {}

class ZooKeeperLingeringKindContractTest extends KindContract implements ZooKeeperContractTests.Lingering {}

class ZooKeeperStrictLingerContractTest extends LingerContract implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringLongLingerContractTest extends LingerContract implements ZooKeeperContractTests.LingeringLong {}

class ZooKeeperStrictLockContractTest extends LockContract implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringLockContractTest extends LockContract implements ZooKeeperContractTests.Lingering {}

class ZooKeeperStrictReadWriteContractTest extends ReadWriteContract implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringReadWriteContractTest extends ReadWriteContract implements ZooKeeperContractTests.Lingering {}

class ZooKeeperStrictReadWriteOrderContractTest extends ReadWriteOrderContract
        implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringReadWriteOrderContractTest extends ReadWriteOrderContract
        implements ZooKeeperContractTests.Lingering {}

class ZooKeeperStrictReadWriteScopeContractTest extends ReadWriteScopeContract
        implements ZooKeeperContractTests.Strict {}

class ZooKeeperLingeringReadWriteScopeContractTest extends ReadWriteScopeContract
        implements ZooKeeperContractTests.Lingering {}

class ZooKeeperStrictSemaphoreContractTest extends SemaphoreContract implements ZooKeeperContractTests.Strict {}

class ZooKeeperStrictSemaphoreOrderContractTest extends SemaphoreOrderContract
        implements ZooKeeperContractTests.Strict {}
