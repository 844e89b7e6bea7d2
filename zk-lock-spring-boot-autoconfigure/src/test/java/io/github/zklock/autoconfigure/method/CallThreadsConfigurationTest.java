package io.github.zklock.autoconfigure.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.config.EnableDistributedLocks;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

class CallThreadsConfigurationTest {

    static class Orders {

        @DistributedLock("/threads/#{#id}")
        public CompletableFuture<Thread> thread(Object id) {
            return CompletableFuture.completedFuture(Thread.currentThread());
        }

        @Async
        public CompletableFuture<String> elsewhere() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    private final ApplicationContextRunner application = Contexts.connected()
            .withConfiguration(
                    AutoConfigurations.of(ZkLockAopAutoConfiguration.class, TaskExecutionAutoConfiguration.class))
            .withBean(Orders.class);

    @Test
    void callsOfFreeLocksReuseAThread() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Set<Thread> threads = ConcurrentHashMap.newKeySet();

            for (int i = 0; i < 50; i++) {
                threads.add(orders.thread(i).get(60, TimeUnit.SECONDS));
            }

            assertThat(threads).hasSizeLessThan(50);
        });
    }

    @Test
    void theExecutorHasAsManyThreadsAsConfiguredAndNoQueue() {
        application.withPropertyValues("zk.lock.async.concurrency-limit=7").run(context -> {
            ThreadPoolTaskExecutor threads = context.getBean("zkLockTaskExecutor", ThreadPoolTaskExecutor.class);

            assertThat(threads.getCorePoolSize()).isZero();
            assertThat(threads.getMaxPoolSize()).isEqualTo(7);
            assertThat(threads.getQueueCapacity()).isZero();
        });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void theThreadsAreVirtualIfTheApplicationUsesVirtualThreads() {
        application
                .withPropertyValues("spring.threads.virtual.enabled=true", "zk.lock.async.concurrency-limit=7")
                .run(context -> {
                    assertThat(context.getBean("zkLockTaskExecutor", SimpleAsyncTaskExecutor.class)
                                    .getConcurrencyLimit())
                            .isEqualTo(7);
                    assertThat(context.getBean(Orders.class).thread("1").get(60, TimeUnit.SECONDS))
                            .asString()
                            .startsWith("VirtualThread");
                });
    }

    @Test
    void aLimitThatIsNotPositiveFailsTheStart() {
        application
                .withPropertyValues("zk.lock.async.concurrency-limit=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("zk.lock.async.concurrency-limit 0"));
    }

    @Test
    void theExecutorOfSpringBootRemainsTheExecutorOfTheApplication() {
        application.run(context -> assertThat(
                        context.getBeanProvider(TaskExecutor.class).getIfUnique())
                .isNotNull()
                .isSameAs(context.getBean("applicationTaskExecutor")));
    }

    @Test
    void asyncMethodsUseTheOnlyExecutorOfTheApplication() {
        application.withUserConfiguration(WithExecutor.class).run(context -> {
            assertThat(context).doesNotHaveBean("applicationTaskExecutor");
            assertThat(context.getBean(Orders.class).elsewhere())
                    .succeedsWithin(60, TimeUnit.SECONDS)
                    .asString()
                    .startsWith("application-");
        });
    }

    @Test
    void anExecutorOfTheSameNameReplacesTheExecutor() {
        application.withUserConfiguration(WithReplacement.class).run(context -> {
            assertThat(context.getBean(Orders.class).thread("1"))
                    .succeedsWithin(60, TimeUnit.SECONDS)
                    .extracting(Thread::getName)
                    .asString()
                    .startsWith("replacement-");
        });
    }

    @Test
    void customizersOfOtherExecutorsGiveTheExecutorNoQueue() {
        application
                .withBean(ThreadPoolTaskExecutorCustomizer.class, () -> executor -> {
                    executor.setQueueCapacity(100);
                    executor.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
                })
                .run(context -> {
                    ThreadPoolTaskExecutor threads =
                            context.getBean("zkLockTaskExecutor", ThreadPoolTaskExecutor.class);

                    assertThat(threads.getQueueCapacity()).isZero();
                    assertThat(threads.getThreadPoolExecutor().getRejectedExecutionHandler())
                            .isInstanceOf(ThreadPoolExecutor.AbortPolicy.class);
                });
    }

    @Test
    void theAnnotationOfPlainSpringReplacesTheAutoConfiguration() {
        application.withUserConfiguration(WithAnnotation.class).run(context -> {
            assertThat(context.getBean(AdviceSettings.class).order()).isEqualTo(7);
            assertThat(context.getBean(Orders.class).thread("1")).succeedsWithin(60, TimeUnit.SECONDS);
        });
    }

    @Test
    void aChildContextHasAdvisorsOfItsOwn() {
        application.run(context -> {
            try (AnnotationConfigApplicationContext below = new AnnotationConfigApplicationContext()) {
                below.setParent(context);
                below.register(
                        ZkLockAopAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class, Orders.class);
                below.refresh();

                assertThat(AopUtils.isAopProxy(below.getBean(Orders.class))).isTrue();
                assertThat(((Advised) below.getBean(Orders.class)).getAdvisors())
                        .extracting(advisor -> advisor.getClass().getSimpleName())
                        .contains("AnnotatedMethodAdvisor");
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(order = 7, proxyTargetClass = true)
    static class WithAnnotation {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class WithExecutor {

        @Bean
        TaskExecutor workers() {
            return new SimpleAsyncTaskExecutor("application-");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithReplacement {

        @Bean(name = "zkLockTaskExecutor", defaultCandidate = false)
        TaskExecutor zkLockTaskExecutor() {
            return new SimpleAsyncTaskExecutor("replacement-");
        }
    }
}
