package io.github.zklock.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Gives a Spring test locks without a ZooKeeper installation, and {@code @DistributedLock} with them: for
 * {@code @SpringBootTest}, for slices such as {@code @WebMvcTest}, and for any other context of a test.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureZkLock
 * class OrderStatsTests {
 *
 *     @Autowired OrderStats stats;
 *     @Autowired LockRecording recording;
 *     @Autowired InMemoryLockCluster cluster;
 *
 *     @Test
 *     void countsUnderTheLock() {
 *         stats.count();
 *
 *         assertThat(recording.taken()).containsExactly("/order-stats");
 *     }
 *
 *     @Test
 *     void doesNotCountDuringAnOutage() {
 *         cluster.outage();
 *
 *         assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(stats::count);
 *     }
 * }
 * }</pre>
 *
 * <p>Beans to inject, besides the {@code LockRegistry}: {@code LockRecording}, cleared before each test method; in memory,
 * {@code InMemoryLockRegistry} and {@code InMemoryLockCluster}; embedded, {@code EmbeddedZooKeeper}. Registries that the
 * application defines itself are replaced in memory, too: all of a context are processes of its one cluster. Settings of
 * {@code zk.lock.*} apply as far as there is something in memory to which they could.
 *
 * <p>Each context has a cluster or server of its own. Contexts are cached, so the test methods of one or several classes
 * may share it: after each of them an outage is healed, and what it left held is dealt with as {@link #leftovers()} says.
 *
 * <p>Not for test methods that run at the same time in one context: each would find the locks of the others. Use {@link
 * LeftoverLocks#KEEP} and names of their own there, and do not ask the recording for all.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("zk.lock.test")
public @interface AutoConfigureZkLock {

    /** What the locks rest on. */
    LockServer server() default LockServer.IN_MEMORY;

    /**
     * What becomes of locks that a test method acquired and that are still held after it, after its transaction and its
     * {@code @AfterEach} methods. Work of other threads has half a second to end by itself.
     */
    @PropertyMapping(skip = PropertyMapping.Skip.YES)
    LeftoverLocks leftovers() default LeftoverLocks.FAIL;
}
