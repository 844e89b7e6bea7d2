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
 * Provides locks and {@code @DistributedLock} to a Spring test without a ZooKeeper installation. It works with {@code
 * @SpringBootTest}, with slices such as {@code @WebMvcTest}, and with any other context of a test.
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
 * <p>Beans to inject, besides the {@code LockRegistry}: {@code LockRecording}, which is cleared before each test
 * method. With servers in memory: {@code InMemoryLockRegistry} and {@code InMemoryLockCluster}. With an embedded
 * server: {@code EmbeddedZooKeeper}. With servers in memory, registries that the application declares are replaced too:
 * all registries of a context are processes of its one cluster. Settings of {@code zk.lock.*} apply if they have a
 * counterpart in memory.
 *
 * <p>Each context has a cluster or server of its own. Contexts are cached, so the test methods of one or several
 * classes may share it. After each method an outage is ended, and locks that are still held are handled by {@link
 * #leftovers()}.
 *
 * <p>Not for test methods that run concurrently in one context: each method would find the locks of the others. For
 * such methods, use {@link LeftoverLocks#KEEP} and different lock names, and do not query the recording for all events.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("zk.lock.test")
public @interface AutoConfigureZkLock {

    /** The servers that the locks use. */
    LockServer server() default LockServer.IN_MEMORY;

    /**
     * The handling of locks that a test method acquired and that are still held after the method, its transaction and
     * its {@code @AfterEach} methods. Work of other threads has half a second to end.
     */
    @PropertyMapping(skip = PropertyMapping.Skip.YES)
    LeftoverLocks leftovers() default LeftoverLocks.FAIL;
}
