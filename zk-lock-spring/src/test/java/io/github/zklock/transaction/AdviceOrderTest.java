package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.Actor;
import io.github.zklock.observation.LockObservationContext;
import io.github.zklock.observation.LockObservationDocumentation;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;

/**
 * The position of the lock among other advice. It must not depend on the order in which the application enables them,
 * nor on the kind of proxies.
 */
class AdviceOrderTest extends TransactionTest {

    /** Configurations of an application. */
    enum Setup {
        ASYNC_FIRST_WITH_ASPECTJ(AsyncFirst.class, TestApplication.ClassProxies.class),
        ASYNC_LAST(AsyncLast.class, TestApplication.ClassProxies.class),
        ASYNC_LAST_WITH_JDK_PROXIES(AsyncLast.class, TestApplication.InterfaceProxies.class);

        private final Class<?> beans;
        private final Class<?> proxies;

        Setup(Class<?> beans, Class<?> proxies) {
            this.beans = beans;
            this.proxies = proxies;
        }
    }

    private static final Map<Setup, ConfigurableApplicationContext> APPLICATIONS = new EnumMap<>(Setup.class);

    /** The interface of the annotated methods. */
    interface Work {

        void transactional();

        String cached(String key);

        CompletableFuture<List<String>> async(CountDownLatch mayEnd);

        // annotated on the interface, where Spring also finds these two through JDK proxies
        @Retryable(maxRetries = 1, delay = 0, includes = IOException.class)
        void retried(List<Long> tokens, List<CompletableFuture<Long>> others, @Nullable LockHandle handle)
                throws IOException;

        @ConcurrencyLimit(1)
        void limited(CountDownLatch running, CountDownLatch mayEnd);

        void audited();
    }

    static class LockedWork implements Work {

        @DistributedLock("/transactional")
        @Transactional
        @Override
        public void transactional() {}

        @Cacheable(cacheNames = "work", keyGenerator = "recordingKeys")
        @DistributedLock("/cached")
        @Override
        public String cached(String key) {
            return key + heldNow();
        }

        @Async
        @DistributedLock("/async")
        @Override
        public CompletableFuture<List<String>> async(CountDownLatch mayEnd) {
            await(mayEnd);
            return CompletableFuture.completedFuture(heldNow());
        }

        @DistributedLock(name = "/retried", waitTime = "60s")
        @Override
        public void retried(List<Long> tokens, List<CompletableFuture<Long>> others, @Nullable LockHandle handle)
                throws IOException {
            tokens.add(handle.fencingToken().value());
            if (tokens.size() == 1) {
                others.add(others().lock("/retried").acquireAsync().thenApply(AdviceOrderTest::tokenOf));
                Awaitility.await()
                        .atMost(60, TimeUnit.SECONDS)
                        .until(() -> others().inspector().queue("/retried").size() == 2);
                throw new IOException("again");
            }
        }

        @DistributedLock("/limited")
        @Override
        public void limited(CountDownLatch running, CountDownLatch mayEnd) {
            running.countDown();
            await(mayEnd);
        }

        @DistributedLock("/audited")
        @Override
        public void audited() {}
    }

    /** Records the locks that are held at the observed points. */
    static class Events implements TransactionExecutionListener, KeyGenerator {

        private final List<String> events = new CopyOnWriteArrayList<>();
        private final AtomicInteger locked = new AtomicInteger();

        @Override
        public void beforeBegin(TransactionExecution transaction) {
            events.add("begin under " + heldNow());
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            events.add("committed under " + heldNow());
        }

        @Override
        public Object generate(Object target, java.lang.reflect.Method method, @Nullable Object... params) {
            events.add("looked up under " + heldNow());
            return new SimpleKey(params);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(LockedWork.class)
    static class Shop {

        @Bean
        static ObservationRegistry observations(ObjectProvider<Events> events) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(context -> {
                if (context instanceof LockObservationContext lock
                        && lock.phase() == LockObservationDocumentation.ACQUIRE
                        && lock.outcome() == LockObservationContext.Outcome.UNDECIDED) {
                    events.getObject().locked.incrementAndGet();
                }
                return false;
            });
            return registry;
        }

        @Bean
        static Events recordingKeys() {
            return new Events();
        }

        @Bean
        ConcurrentMapCacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }

        /** An advisor with the order of method security. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor audit(Events seen) {
            NameMatchMethodPointcut audited = new NameMatchMethodPointcut();
            audited.setMappedName("audited");
            MethodInterceptor auditor = invocation -> {
                seen.events.add("audited under " + heldNow());
                return invocation.proceed();
            };
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(audited, auditor);
            advisor.setOrder(500);
            return advisor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    @EnableAsync
    @EnableResilientMethods
    @EnableCaching
    @Import(Shop.class)
    static class AsyncFirst {}

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    @EnableResilientMethods
    @EnableAsync
    @Import(Shop.class)
    static class AsyncLast {}

    @BeforeAll
    static void startApplications() {
        for (Setup setup : Setup.values()) {
            APPLICATIONS.put(setup, start(TestApplication.of().enabledBy(setup.proxies), setup.beans));
        }
    }

    @AfterAll
    static void stopApplications() {
        APPLICATIONS.values().forEach(ConfigurableApplicationContext::close);
    }

    @Test
    void bothKindsOfProxiesAreTested() {
        assertThat(APPLICATIONS.keySet())
                .filteredOn(setup -> AopUtils.isJdkDynamicProxy(work(setup)))
                .containsExactly(Setup.ASYNC_LAST_WITH_JDK_PROXIES);
    }

    @ParameterizedTest
    @EnumSource
    void theLockStandsOutsideTheTransaction(Setup setup) {
        work(setup).transactional();

        assertThat(seen(setup)).containsExactly("begin under [/transactional]", "committed under [/transactional]");
    }

    @ParameterizedTest
    @EnumSource
    void theLockStandsOutsideTheCacheAndIsAcquiredForAHitToo(Setup setup) {
        Events seen = application(setup).getBean(Events.class);
        int before = seen.locked.get();

        String computed = work(setup).cached("answer");
        String hit = work(setup).cached("answer");

        assertThat(computed).isEqualTo("answer[/cached]");
        assertThat(hit).isEqualTo(computed);
        assertThat(seen(setup)).containsExactly("looked up under [/cached]", "looked up under [/cached]");
        assertThat(seen.locked.get() - before).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void theLockStandsInsideAsync(Setup setup) throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);

        LockHandle theirs = others().lock("/async").acquire();
        Future<List<String>> result = work(setup).async(mayEnd);
        theirs.close();
        mayEnd.countDown();

        assertThat(Actor.join(result)).containsExactly("/async");
        awaitFreeForOthers("/async");
    }

    @ParameterizedTest
    @EnumSource
    void eachAttemptOfARetryAcquiresAnewAndOthersMayComeBetween(Setup setup) throws IOException {
        List<Long> tokens = new ArrayList<>();
        List<CompletableFuture<Long>> others = new ArrayList<>();

        work(setup).retried(tokens, others, null);

        assertThat(tokens).hasSize(2);
        assertThat(Actor.join(others.get(0))).isBetween(tokens.get(0) + 1, tokens.get(1) - 1);
    }

    @ParameterizedTest
    @EnumSource
    void theLockStandsInsideAConcurrencyLimit(Setup setup) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        int before = application(setup).getBean(Events.class).locked.get();

        try (Actor first = new Actor("first");
                Actor second = new Actor("second")) {
            Future<?> holder = first.startAct(() -> work(setup).limited(running, mayEnd));
            await(running);
            Future<?> limited = second.startAct(() -> work(setup).limited(running, mayEnd));
            second.awaitParked();

            assertThat(application(setup).getBean(Events.class).locked.get() - before)
                    .isOne();
            assertThat(application(setup)
                            .getBean(LockRegistry.class)
                            .inspector()
                            .awaited())
                    .isEmpty();

            mayEnd.countDown();
            Actor.join(holder);
            Actor.join(limited);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLockStandsInsideWhatHasAnOrderOfItsOwn(Setup setup) {
        work(setup).audited();

        assertThat(seen(setup)).containsExactly("audited under []");
    }

    private static ConfigurableApplicationContext application(Setup setup) {
        return APPLICATIONS.get(setup);
    }

    private static Work work(Setup setup) {
        return application(setup).getBean(Work.class);
    }

    /** Returns and removes the recorded events. */
    private static List<String> seen(Setup setup) {
        List<String> recorded = application(setup).getBean(Events.class).events;
        List<String> copy = List.copyOf(recorded);
        recorded.clear();
        return copy;
    }

    private static Long tokenOf(LockHandle handle) {
        try (handle) {
            return handle.fencingToken().value();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
