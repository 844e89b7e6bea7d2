package io.github.zklock.test.autoconfigure;

import io.github.zklock.Leadership;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.Leftovers.Leftover;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Isolates the test methods of one context: each method starts with an empty recording, and leaves neither an outage
 * nor locks to the next.
 */
final class LeftoverLocksListener extends AbstractTestExecutionListener {

    /*
     * Callbacks after a test run in descending order. This one runs after the end of the test's transaction (4000),
     * which may keep locks, and before the context may be closed as dirty (3000).
     */
    private static final int ORDER = 3500;

    private static final Duration GRACE = Duration.ofMillis(500);
    private static final String LEFTOVERS = Leftovers.class.getName();

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (policyOf(test).isEmpty()) {
            return;
        }
        ApplicationContext context = test.getApplicationContext();
        test.setAttribute(
                LEFTOVERS,
                new Leftovers(
                        context.getBeansOfType(LockRegistry.class, false, false).values(),
                        context.getBeansOfType(Leadership.class, false, false).values().stream()
                                .map(Leadership::name)
                                .collect(Collectors.toSet())));
        if (context.getAutowireCapableBeanFactory() instanceof SingletonBeanRegistry singletons
                && singletons.getSingleton(ZkLockTestAutoConfiguration.RECORDING) instanceof LockRecording recording) {
            recording.clear();
        }
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.removeAttribute(LEFTOVERS) instanceof Leftovers leftovers
                && test.getApplicationContext() instanceof ConfigurableApplicationContext context
                && context.isActive()) {
            heal(context);
            policyOf(test).ifPresent(policy -> apply(policy, leftovers, test));
        }
    }

    private static Optional<LeftoverLocks> policyOf(TestContext test) {
        return Optional.ofNullable(
                        TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), AutoConfigureZkLock.class))
                .map(AutoConfigureZkLock::leftovers);
    }

    private static void heal(ApplicationContext context) {
        context.getBeansOfType(InMemoryLockCluster.class, false, false).values().forEach(InMemoryLockCluster::heal);
        context.getBeansOfType(InMemoryLockRegistry.class, false, false)
                .values()
                .forEach(InMemoryLockRegistry::resume);
        context.getBeansOfType(EmbeddedZooKeeper.class, false, false).values().forEach(EmbeddedZooKeeper::heal);
    }

    private static void apply(LeftoverLocks policy, Leftovers leftovers, TestContext test) {
        List<Leftover> left = policy == LeftoverLocks.KEEP ? List.of() : leftovers.after(GRACE);
        if (left.isEmpty()) {
            return;
        }
        String locks = left.stream().map(Leftover::describe).collect(Collectors.joining(", "));
        leftovers.takeAway();
        if (policy == LeftoverLocks.FAIL) {
            throw new AssertionError(
                    "Test %s.%s left %s held: %s. They were released by force for the next test. Close each handle, for example by"
                                    .formatted(
                                            test.getTestClass().getSimpleName(),
                                            test.getTestMethod().getName(),
                                            left.size() == 1 ? "a lock" : left.size() + " locks",
                                            locks)
                            + " try-with-resources, or use @AutoConfigureZkLock(leftovers = LeftoverLocks.TAKE_AWAY) if"
                            + " the test leaves locks on purpose");
        }
    }
}
