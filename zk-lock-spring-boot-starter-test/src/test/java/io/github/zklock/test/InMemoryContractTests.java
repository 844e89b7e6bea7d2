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
 * The contracts on servers in memory. Each contract is a top-level class, so that Surefire's processes share the work. The
 * core tests the same engine on real servers, with the default hand-off. Therefore the default build runs only these here:
 *
 * <ul>
 *   <li>the contracts that depend on the hand-off, with the hand-offs other than the default one,
 *   <li>the contracts that read the nodes of others, or end sessions and connections, as the servers in memory have an
 *       implementation of their own for that.
 * </ul>
 *
 * The full build also runs the other contracts with the default hand-off.
 */
interface InMemoryContractTests extends OnCluster {

    @Override
    default ClusterFixture newCluster() {
        return new MemoryCluster(handOff());
    }

    interface Strict extends InMemoryContractTests, OnCluster.Strict {}

    interface Lingering extends InMemoryContractTests, OnCluster.Lingering {}

    interface LingeringLong extends InMemoryContractTests, OnCluster.LingeringLong {}

    @Tag("variant")
    interface InFullBuild extends InMemoryContractTests {}
}

class InMemoryStrictAsyncContractTest extends AsyncContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringClosingContractTest extends ClosingContract implements InMemoryContractTests.Lingering {}

class InMemoryStrictHandleContractTest extends HandleContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringJobContractTest extends JobContract implements InMemoryContractTests.Lingering {}

class InMemoryLingeringKindContractTest extends KindContract implements InMemoryContractTests.Lingering {}

class InMemoryLingeringLeadershipContractTest extends LeadershipContract implements InMemoryContractTests.Lingering {}

class InMemoryStrictLingerContractTest extends LingerContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringLongLingerContractTest extends LingerContract implements InMemoryContractTests.LingeringLong {}

class InMemoryStrictLockContractTest extends LockContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringLockContractTest extends LockContract implements InMemoryContractTests.Lingering {}

class InMemoryStrictReadWriteContractTest extends ReadWriteContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringReadWriteContractTest extends ReadWriteContract implements InMemoryContractTests.Lingering {}

class InMemoryStrictReadWriteOrderContractTest extends ReadWriteOrderContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringReadWriteOrderContractTest extends ReadWriteOrderContract
        implements InMemoryContractTests.Lingering {}

class InMemoryStrictReadWriteScopeContractTest extends ReadWriteScopeContract implements InMemoryContractTests.Strict {}

class InMemoryLingeringReadWriteScopeContractTest extends ReadWriteScopeContract
        implements InMemoryContractTests.Lingering {}

class InMemoryStrictSemaphoreContractTest extends SemaphoreContract implements InMemoryContractTests.Strict {}

class InMemoryStrictSemaphoreOrderContractTest extends SemaphoreOrderContract implements InMemoryContractTests.Strict {}

// with the default hand-off

class InMemoryAllOfHandleContractTest extends AllOfHandleContract implements InMemoryContractTests {}

class InMemoryInspectorContractTest extends InspectorContract implements InMemoryContractTests {}

class InMemoryKindInspectorContractTest extends KindInspectorContract implements InMemoryContractTests {}

class InMemoryNameContractTest extends NameContract implements InMemoryContractTests {}

class InMemoryReadWriteTroubleContractTest extends ReadWriteTroubleContract implements InMemoryContractTests {}

class InMemorySemaphoreTroubleContractTest extends SemaphoreTroubleContract implements InMemoryContractTests {}

// with the default hand-off, in the full build

class InMemoryAllOfContractTest extends AllOfContract implements InMemoryContractTests.InFullBuild {}

class InMemoryAllOfScopeContractTest extends AllOfScopeContract implements InMemoryContractTests.InFullBuild {}

class InMemoryAsyncContractTest extends AsyncContract implements InMemoryContractTests.InFullBuild {}

class InMemoryBadInputContractTest extends BadInputContract implements InMemoryContractTests.InFullBuild {}

class InMemoryClosingContractTest extends ClosingContract implements InMemoryContractTests.InFullBuild {}

class InMemoryDeadlineContractTest extends DeadlineContract implements InMemoryContractTests.InFullBuild {}

class InMemoryEventContractTest extends EventContract implements InMemoryContractTests.InFullBuild {}

class InMemoryHandleContractTest extends HandleContract implements InMemoryContractTests.InFullBuild {}

class InMemoryHoldLimitContractTest extends HoldLimitContract implements InMemoryContractTests.InFullBuild {}

class InMemoryJobContractTest extends JobContract implements InMemoryContractTests.InFullBuild {}

class InMemoryKindContractTest extends KindContract implements InMemoryContractTests.InFullBuild {}

class InMemoryLeadershipContractTest extends LeadershipContract implements InMemoryContractTests.InFullBuild {}

class InMemoryLingerContractTest extends LingerContract implements InMemoryContractTests.InFullBuild {}

class InMemoryLockContractTest extends LockContract implements InMemoryContractTests.InFullBuild {}

class InMemoryPolicyContractTest extends PolicyContract implements InMemoryContractTests.InFullBuild {}

class InMemoryReadWriteContractTest extends ReadWriteContract implements InMemoryContractTests.InFullBuild {}

class InMemoryReadWriteOrderContractTest extends ReadWriteOrderContract implements InMemoryContractTests.InFullBuild {}

class InMemoryReadWriteScopeContractTest extends ReadWriteScopeContract implements InMemoryContractTests.InFullBuild {}

class InMemoryScopeContractTest extends ScopeContract implements InMemoryContractTests.InFullBuild {}

class InMemorySemaphoreContractTest extends SemaphoreContract implements InMemoryContractTests.InFullBuild {}

class InMemorySemaphoreOrderContractTest extends SemaphoreOrderContract implements InMemoryContractTests.InFullBuild {}
