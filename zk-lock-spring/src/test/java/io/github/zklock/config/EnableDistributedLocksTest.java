package io.github.zklock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.event.LockLostEvent;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.transaction.InTransaction;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/** Contexts of Spring Framework alone: Spring Boot is not on the class path. */
class EnableDistributedLocksTest {

    private static final LocalZooKeeper SERVER = new LocalZooKeeper();

    private static ZooKeeperLockRegistry connected() {
        return ZooKeeperLockRegistry.builder()
                .connectString(SERVER.connectString())
                .closeOnExit(false)
                .build();
    }

    static class Statistics {

        @DistributedLock("/plain/#{#day}")
        @Nullable FencingToken recompute(String day, @Nullable FencingToken token) {
            assertThat(LockContext.current())
                    .extracting(held -> held.name().value())
                    .containsExactly("/plain/" + day);
            return token;
        }

        @DistributedLock(value = "/plain/taken", waitTime = "0")
        void tryOnce() {}

        @DistributedLock("/plain/lost")
        void loseIt() {
            LockHandle held = LockContext.current().get(0);
            held.loseAfter(Duration.ofNanos(1));
            Awaitility.await().until(() -> held.state() == LockState.LOST);
        }

        @Transactional
        @DistributedLock("/plain/guarded")
        boolean runsInsideATransactionUnderTheLock() {
            return TransactionSynchronizationManager.isActualTransactionActive()
                    && !LockContext.current().isEmpty();
        }

        @DistributedLock("/plain/joined")
        void join() {}

        @DistributedLock(value = "/plain/later/#{#i}", waitTime = "1m")
        CompletableFuture<Integer> later(int i, AtomicInteger inside, CountDownLatch leave)
                throws InterruptedException {
            inside.incrementAndGet();
            assertThat(leave.await(1, TimeUnit.MINUTES)).isTrue();
            return CompletableFuture.completedFuture(i);
        }
    }

    static class Losses {

        final List<LockLostEvent> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void lost(LockLostEvent event) {
            heard.add(event);
        }
    }

    @Configuration
    static class Shop {

        @Bean(destroyMethod = "close")
        LockRegistry lockRegistry() {
            return connected();
        }

        @Bean
        Statistics statistics() {
            return new Statistics();
        }

        @Bean
        Losses losses() {
            return new Losses();
        }
    }

    @Configuration
    @EnableDistributedLocks(proxyTargetClass = true)
    static class Plain extends Shop {}

    @Configuration
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Transactions {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:plain;DB_CLOSE_DELAY=-1");
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    @Configuration
    @EnableDistributedLocks(proxyTargetClass = true, inTransaction = InTransaction.RELEASE)
    static class Releasing extends Shop {}

    @Test
    void bootIsNotOnTheClassPath() {
        assertThat(ClassUtils.isPresent("org.springframework.boot.SpringApplication", null))
                .isFalse();
    }

    @Test
    void anAnnotatedMethodRunsUnderItsLock() {
        try (var context = new AnnotationConfigApplicationContext(Plain.class)) {
            FencingToken first = context.getBean(Statistics.class).recompute("monday", null);
            FencingToken second = context.getBean(Statistics.class).recompute("monday", null);

            assertThat(second).isGreaterThan(first);
        }
    }

    interface Closing {

        List<String> close();
    }

    static class NightlyClosing implements Closing {

        @Override
        @DistributedLock("/plain/closing")
        public List<String> close() {
            return LockContext.current().stream()
                    .map(held -> held.name().value())
                    .toList();
        }
    }

    @Test
    void proxiesImplementInterfacesUnlessProxyTargetClassIsSet() {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", Map.of("zookeeper.servers", SERVER.connectString())));
            context.register(LocksConfiguration.class, NightlyClosing.class);
            context.refresh();

            assertThat(context.getBean(Closing.class).close()).containsExactly("/plain/closing");
            assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Closing.class)))
                    .isTrue();
        }
    }

    static class Reports {

        @OnlyLeader("/plain/reports")
        boolean isPublished() {
            return true;
        }
    }

    @Configuration
    @EnableDistributedLocks(proxyTargetClass = true)
    static class Leading extends Shop {

        @Bean
        Leadership reportLeadership(LockRegistry registry) {
            return registry.leadership("/plain/reports");
        }

        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    @Test
    void aLeadershipStartsAndEndsWithItsContext() {
        try (var first = new AnnotationConfigApplicationContext(Leading.class);
                var second = new AnnotationConfigApplicationContext()) {
            Awaitility.await().until(first.getBean(Leadership.class)::isLeader);
            second.register(Leading.class);
            second.refresh();
            assertThat(first.getBean(Reports.class).isPublished()).isTrue();
            assertThat(second.getBean(Reports.class).isPublished()).isFalse();

            first.close();

            Awaitility.await().until(second.getBean(Leadership.class)::isLeader);
            assertThat(second.getBean(Reports.class).isPublished()).isTrue();
        }
    }

    @Test
    void aBusyLockEndsTheCallWithATimeout() throws Exception {
        try (var context = new AnnotationConfigApplicationContext(Plain.class);
                ZooKeeperLockRegistry other = connected();
                LockHandle held = other.lock("/plain/taken").acquire()) {
            Statistics statistics = context.getBean(Statistics.class);

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(statistics::tryOnce)
                    .withMessageContaining("/plain/taken");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void aLossIsPublishedAsAnEvent() {
        try (var context = new AnnotationConfigApplicationContext(Plain.class)) {
            Statistics statistics = context.getBean(Statistics.class);

            assertThatExceptionOfType(LockLostException.class).isThrownBy(statistics::loseIt);

            List<LockLostEvent> losses = context.getBean(Losses.class).heard;
            Awaitility.await().until(() -> losses.size() == 1);
            assertThat(losses.get(0).name().value()).isEqualTo("/plain/lost");
        }
    }

    @Test
    void theLockIsOutsideTheTransactionOfItsMethod() {
        try (var context = new AnnotationConfigApplicationContext(Plain.class, Transactions.class)) {
            assertThat(context.getBean(Statistics.class).runsInsideATransactionUnderTheLock())
                    .isTrue();
        }
    }

    @Test
    void theCheckBeforeACommitIsInsideTheTransaction() {
        try (var context = new AnnotationConfigApplicationContext(Plain.class, Transactions.class)) {
            assertThat(((Advised) context.getBean(Statistics.class)).getAdvisors())
                    .extracting(advisor -> advisor.getClass().getSimpleName())
                    .containsSubsequence(
                            "AnnotatedMethodAdvisor",
                            "BeanFactoryTransactionAttributeSourceAdvisor",
                            "TransactionalMethodAdvisor");
        }
    }

    @Test
    void aLockInsideATransactionIsHeldUntilItsEnd() {
        assertThat(isHeldAfterTheMethod(Plain.class)).isTrue();
    }

    @Test
    void aLockInsideATransactionIsReleasedWithTheMethodIfConfigured() {
        assertThat(isHeldAfterTheMethod(Releasing.class)).isFalse();
    }

    @Test
    void withoutAnExecutor256AsynchronousMethodsRunAtOnce() throws Exception {
        int limit = 256;
        CountDownLatch leave = new CountDownLatch(1);
        try (var context = new AnnotationConfigApplicationContext(Plain.class);
                ZooKeeperLockRegistry other = connected()) {
            Statistics statistics = context.getBean(Statistics.class);
            LockInspector inspector = context.getBean(LockRegistry.class).inspector();
            AtomicInteger inside = new AtomicInteger();
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            List<LockHandle> taken = new ArrayList<>();
            for (int i = 0; i <= limit; i++) {
                taken.add(other.lock("/plain/later/" + i).acquire());
                calls.add(statistics.later(i, inside, leave));
            }
            Awaitility.await().until(() -> inspector.awaited().size() == limit + 1);

            taken.subList(0, limit).forEach(LockHandle::close);
            Awaitility.await().until(() -> inside.get() == limit);
            taken.get(limit).close();

            assertThat(calls.get(limit))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(TaskRejectedException.class);
            leave.countDown();
            assertThat(calls.subList(0, limit))
                    .allSatisfy(call -> assertThat(call).succeedsWithin(Duration.ofMinutes(1)));
            assertThat(inside).hasValue(limit);
        } finally {
            leave.countDown();
        }
    }

    private static boolean isHeldAfterTheMethod(Class<?> configuration) {
        try (var context = new AnnotationConfigApplicationContext(configuration, Transactions.class)) {
            LockRegistry registry = context.getBean(LockRegistry.class);
            Boolean held = new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .execute(status -> {
                        context.getBean(Statistics.class).join();
                        return !registry.inspector().held().isEmpty();
                    });
            assertThat(registry.inspector().held()).isEmpty();
            return Boolean.TRUE.equals(held);
        }
    }
}
