/**
 * Locks for tests: no server, the very same semantics as the real ones, and misfortune on demand.
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
 * Several processes are registries that {@link io.github.zklock.test.InMemoryLockCluster#join() join} one cluster, which
 * can have an outage and heal. Everything passes the same contract suites as the registry on ZooKeeper.
 *
 * <p>For any registry, also one on an {@link io.github.zklock.test.EmbeddedZooKeeper}: {@link
 * io.github.zklock.test.LockAssertions}, and {@link io.github.zklock.test.LockRecording} of what was acquired. For tests
 * of Spring applications: {@link io.github.zklock.test.autoconfigure.AutoConfigureZkLock}.
 */
@NullMarked
package io.github.zklock.test;

import org.jspecify.annotations.NullMarked;
