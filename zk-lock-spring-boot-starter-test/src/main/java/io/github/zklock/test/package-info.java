/**
 * Locks for tests: they need no server, have the semantics of production, and simulate failures.
 *
 * <pre>{@code
 * class OrderStatsTest {
 *
 *     private final InMemoryLockRegistry locks = new InMemoryLockRegistry();
 *     private final OrderStats stats = new OrderStats(locks);
 *
 *     @Test
 *     void nothingIsWrittenOnceTheLockIsLost() {
 *         stats.beforeWriting(locks::loseSession);
 *
 *         assertThatThrownBy(stats::update).isInstanceOf(LockLostException.class);
 *
 *         assertThat(stats.writes()).isZero();
 *     }
 * }
 * }</pre>
 *
 * <p>For several processes, several registries {@link io.github.zklock.test.InMemoryLockCluster#join() join} one
 * cluster, which can have an outage and heal. They pass the same contract suites as the registry on ZooKeeper.
 *
 * <p>For any registry, including one on an {@link io.github.zklock.test.EmbeddedZooKeeper}, there are {@link
 * io.github.zklock.test.LockAssertions} and {@link io.github.zklock.test.LockRecording}. For tests of Spring
 * applications, see {@link io.github.zklock.test.autoconfigure.AutoConfigureZkLock}.
 */
@NullMarked
package io.github.zklock.test;

import org.jspecify.annotations.NullMarked;
