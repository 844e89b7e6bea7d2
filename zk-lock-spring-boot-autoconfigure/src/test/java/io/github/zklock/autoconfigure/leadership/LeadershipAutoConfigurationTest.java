package io.github.zklock.autoconfigure.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.autoconfigure.Contexts;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.event.LeadershipStartedEvent;
import io.github.zklock.event.LeadershipStoppedEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.NestedExceptionUtils;

class LeadershipAutoConfigurationTest {

    private static final String PLACE = "@OnlyLeader on " + LeadershipAutoConfigurationTest.class.getName() + "$";

    private static ApplicationContextRunner contexts(String name) {
        return Contexts.connected()
                .withConfiguration(AutoConfigurations.of(
                        ZkLockAopAutoConfiguration.class, ZkLockLeadershipAutoConfiguration.class))
                .withPropertyValues("zk.lock.leadership[0]=" + name, "reports.name=" + name);
    }

    @Test
    void anEntryDeclaresALeadershipThatStartsWithTheContextAndEndsWithIt() {
        List<Leadership> ended = new CopyOnWriteArrayList<>();

        contexts("/boot/start").withUserConfiguration(Events.class).run(context -> {
            Leadership leadership = context.getBean("leadership:/boot/start", Leadership.class);
            awaitLeader(leadership);
            ended.add(leadership);
            FencingToken token = leadership.token().orElseThrow();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(context.getBean(Events.class).received)
                            .containsExactly(new LeadershipStartedEvent(leadership.name(), token)));
        });

        assertThat(ended)
                .singleElement()
                .satisfies(each -> assertThat(each.isLeader()).isFalse());
        assertThat(Contexts.server().treeBelow("/locks/boot"))
                .noneMatch(path -> path.startsWith("/locks/boot/start/_c_"));
    }

    @Test
    void theEndOfATermIsPublished() {
        contexts("/boot/stop").withUserConfiguration(Events.class).run(context -> {
            Leadership leadership = context.getBean(Leadership.class);
            awaitLeader(leadership);

            leadership.stepDown(Duration.ofHours(1));

            Awaitility.await()
                    .untilAsserted(() -> assertThat(context.getBean(Events.class).received)
                            .last()
                            .isInstanceOfSatisfying(
                                    LeadershipStoppedEvent.class,
                                    event -> assertThat(event.reason()).contains("stepped down")));
        });
    }

    @Test
    void theTasksOfALeaderEndBeforeTheBeansThatTheyUse() {
        List<String> order = new CopyOnWriteArrayList<>();

        contexts("/boot/order")
                .withBean(AutoCloseable.class, () -> () -> order.add("bean closed"))
                .run(context -> {
                    CountDownLatch begun = new CountDownLatch(1);
                    context.getBean(Leadership.class).runWhileLeader(token -> {
                        begun.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException stopped) {
                            order.add("task ended");
                        }
                    });
                    begun.await();
                });

        assertThat(order).containsExactly("task ended", "bean closed");
    }

    @Test
    void onlyTheLeaderRunsAnAnnotatedMethod() {
        contexts("/boot/only").withUserConfiguration(WithReports.class).run(first -> {
            awaitLeader(first.getBean(Leadership.class));
            contexts("/boot/only").withUserConfiguration(WithReports.class).run(second -> {
                Reports leading = first.getBean(Reports.class);
                Reports waiting = second.getBean(Reports.class);

                leading.publish();
                waiting.publish();

                assertThat(leading.published()).isEqualTo(1);
                assertThat(waiting.published()).isZero();
                assertThat(leading.isDone()).isTrue();
                assertThat(waiting.isDone()).isFalse();
                assertThat(waiting.latest()).isEmpty();
                assertThat(waiting.name()).isNull();
                assertThat(waiting.later()).isCompletedWithValue(null);
            });
        });
    }

    @Test
    void aCallThatIsSkippedRequestsNoLock() {
        contexts("/boot/before").withUserConfiguration(WithReports.class).run(first -> {
            awaitLeader(first.getBean(Leadership.class));
            LockRegistry registry = first.getBean(LockRegistry.class);
            contexts("/boot/before").withUserConfiguration(WithReports.class).run(second -> {
                try (LockHandle held = registry.lock("/boot/before/work").acquire()) {
                    // would wait for the lock
                    second.getBean(Reports.class).publishUnderLock();
                }
                assertThat(second.getBean(Reports.class).published()).isZero();
                first.getBean(Reports.class).publishUnderLock();
                assertThat(first.getBean(Reports.class).published()).isEqualTo(1);
            });
        });
    }

    @Test
    void aLeadershipThatWasClosedDoesNotPreventARestartOfTheContext() {
        contexts("/boot/again").withUserConfiguration(Events.class).run(context -> {
            Leadership leadership = context.getBean(Leadership.class);
            awaitLeader(leadership);
            leadership.close();
            ConfigurableApplicationContext itself = context.getSourceApplicationContext();

            itself.stop();
            itself.start();

            assertThat(itself.isRunning()).isTrue();
            assertThat(leadership.isLeader()).isFalse();
        });
    }

    @Test
    void eventsArePublishedOnceAfterARestartOfTheContext() {
        contexts("/boot/once").withUserConfiguration(Events.class).run(context -> {
            Leadership leadership = context.getBean(Leadership.class);
            awaitLeader(leadership);
            ConfigurableApplicationContext itself = context.getSourceApplicationContext();
            itself.stop();
            itself.start();

            leadership.stepDown(Duration.ofHours(1));

            List<Object> received = context.getBean(Events.class).received;
            Awaitility.await().until(() -> received.stream().anyMatch(LeadershipStoppedEvent.class::isInstance));
            assertThat(received).hasSize(2);
        });
    }

    @Test
    void allCandidatesLeaveWhileATaskOfAnotherLeadershipStillRuns() {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        contexts("/boot/leave").run(elsewhere -> {
            LockRegistry registry = elsewhere.getBean(LockRegistry.class);
            awaitLeader(elsewhere.getBean(Leadership.class));
            Thread closing = new Thread(() -> contexts("/boot/leave")
                    .withPropertyValues("zk.lock.leadership[1]=/boot/leaving")
                    .run(context -> {
                        Leadership slow = context.getBean("leadership:/boot/leaving", Leadership.class);
                        slow.runWhileLeader(token -> {
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException ended) {
                                interrupted.countDown();
                                mayEnd.await();
                            }
                        });
                        context.getBean("leadership:/boot/leave", Leadership.class)
                                .runWhileLeader(token -> others.incrementAndGet());
                        awaitLeader(slow);
                        Awaitility.await()
                                .until(() -> registry.inspector()
                                                .queue("/boot/leave")
                                                .size()
                                        == 2);
                    }));
            closing.start();
            interrupted.await();

            // the task may take ten seconds until it is not awaited any more
            Awaitility.await()
                    .atMost(Duration.ofSeconds(8))
                    .until(() -> registry.inspector().queue("/boot/leave").size() == 1);
            assertThat(closing.isAlive()).isTrue();
            mayEnd.countDown();
            closing.join();
        });
        assertThat(others).hasValue(0);
    }

    @Test
    void anAnnotationOnTheClassAppliesToAllMethods() {
        contexts("/boot/class").withUserConfiguration(WithLeaderClass.class).run(first -> {
            awaitLeader(first.getBean(Leadership.class));
            contexts("/boot/class").withUserConfiguration(WithLeaderClass.class).run(second -> {
                assertThat(first.getBean(LeaderClass.class).isLeader()).isTrue();
                assertThat(second.getBean(LeaderClass.class).isLeader()).isFalse();
            });
        });
    }

    @Test
    void anAnnotationThatNamesNoLeadershipFailsTheStart() {
        contexts("/boot/other")
                .withUserConfiguration(WithReports.class)
                .withPropertyValues("reports.name=/boot/unknown")
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(PLACE + "Reports.")
                        .hasMessageContaining("'/boot/unknown'")
                        .hasMessageContaining("zk.lock.leadership"));
    }

    @Test
    void aReturnTypeThatCannotBeSkippedFailsTheStart() {
        contexts("/boot/type")
                .withUserConfiguration(WithNumber.class)
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(PLACE + "Counter.count()")
                        .hasMessageContaining("skipped"));
    }

    @Test
    void aMethodThatNoProxyInterceptsFailsTheStart() {
        contexts("/boot/final")
                .withUserConfiguration(WithFinal.class)
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(PLACE + "Final.publish()")
                        .hasMessageContaining("every process"));
    }

    @Test
    void aFinalMethodOfAnAnnotatedClassFailsTheStart() {
        contexts("/boot/final-class")
                .withBean(FinalInClass.class, FinalInClass::new)
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(PLACE + "FinalInClass.publish()")
                        .hasMessageContaining("final"));
    }

    @Test
    void anObjectWithoutAProxyFailsTheStart() {
        contexts("/boot/object")
                .withInitializer(context -> context.getBeanFactory().registerSingleton("registered", new LeaderClass()))
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(PLACE + "LeaderClass.isLeader()")
                        .hasMessageContaining("'registered' has no proxy"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Early {

        @Bean
        static BeanFactoryPostProcessor early(LeaderClass leader) {
            return factory -> {};
        }
    }

    @Test
    void aBeanThatIsCreatedTooEarlyFailsTheStart() {
        contexts("/boot/early")
                .withUserConfiguration(LeaderClass.class, Early.class)
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining(PLACE + "LeaderClass.isLeader()")
                        .hasMessageContaining("has no proxy"));
    }

    interface Publishing {

        @OnlyLeader("/boot/inherited")
        boolean publish();
    }

    static class Publishes {

        public boolean publish() {
            return true;
        }
    }

    /** Only here, the inherited method implements the interface. */
    static class InheritedPublishing extends Publishes implements Publishing {}

    @Test
    void anInterfaceGuardsAMethodThatItsClassInherits() {
        contexts("/boot/inherited").withBean(InheritedPublishing.class).run(first -> {
            awaitLeader(first.getBean(Leadership.class));
            contexts("/boot/inherited").withBean(InheritedPublishing.class).run(second -> {
                assertThat(first.getBean(Publishing.class).publish()).isTrue();
                assertThat(second.getBean(Publishing.class).publish()).isFalse();
            });
        });
    }

    @Test
    void aProductOfAFactoryBeanIsChecked() {
        contexts("/boot/product")
                .withUserConfiguration(WithProduct.class)
                .run(context -> assertThat(causeOf(context)).hasMessageContaining(PLACE + "Final.publish()"));
    }

    @Test
    void twoLeadershipsOfOneNameFailTheStart() {
        contexts("/boot/own")
                .withUserConfiguration(WithOwn.class, WithReports.class)
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining("'/boot/own'")
                        .hasMessageContaining("2 beans"));
    }

    @Test
    void aLeadershipOfAParentContextCounts() {
        contexts("/boot/parent").run(parent -> {
            awaitLeader(parent.getBean(Leadership.class));
            new ApplicationContextRunner()
                    .withParent(parent)
                    .withConfiguration(AutoConfigurations.of(
                            ZkLockAopAutoConfiguration.class, ZkLockLeadershipAutoConfiguration.class))
                    .withPropertyValues("reports.name=/boot/parent")
                    .withUserConfiguration(WithReports.class)
                    .run(context ->
                            assertThat(context.getBean(Reports.class).isDone()).isTrue());
        });
    }

    @Test
    void theReturnTypeIsThatOfTheImplementation() {
        contexts("/boot/interface")
                .withUserConfiguration(WithNamed.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(first -> {
                    awaitLeader(first.getBean(Leadership.class));
                    contexts("/boot/interface")
                            .withUserConfiguration(WithNamed.class)
                            .withPropertyValues("spring.aop.proxy-target-class=false")
                            .run(second -> {
                                assertThat(first.getBean(Named.class).value()).isEqualTo("a value");
                                assertThat(second.getBean(Named.class).value()).isNull();
                            });
                });
    }

    @Test
    void twoEntriesOfOneNameFailTheStart() {
        contexts("/boot/twice")
                .withPropertyValues("zk.lock.leadership[1]=boot/twice")
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining("zk.lock.leadership[1]")
                        .hasMessageContaining("earlier entry"));
    }

    @Test
    void aNameThatIsNoLockNameFailsTheStart() {
        contexts("/boot//x")
                .run(context -> assertThat(causeOf(context))
                        .hasMessageContaining("zk.lock.leadership[0]")
                        .hasMessageContaining("/boot//x"));
    }

    @Test
    void withoutZkLockThereIsNoCandidateAndNoAnnotatedMethodRunsEverywhere() {
        contexts("/boot/off")
                .withPropertyValues("zk.lock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Leadership.class));
        contexts("/boot/off")
                .withPropertyValues("zk.lock.enabled=false")
                .withUserConfiguration(WithReports.class)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aLeadershipThatTheApplicationDeclaresStartsAsWell() {
        contexts("/boot/declared").withUserConfiguration(WithOwn.class).run(context -> {
            awaitLeader(context.getBean("own", Leadership.class));
            try (LockHandle other =
                    context.getBean(LockRegistry.class).lock("/boot/another").acquire()) {
                assertThat(other.isHeld()).isTrue();
            }
        });
    }

    private static Throwable causeOf(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
    }

    private static void awaitLeader(Leadership leadership) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(leadership::isLeader);
    }

    @Configuration(proxyBeanMethods = false)
    static class Events {

        final List<Object> received = new CopyOnWriteArrayList<>();

        @EventListener({LeadershipStartedEvent.class, LeadershipStoppedEvent.class})
        void receive(Object event) {
            received.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithReports {
        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    static class Reports {

        private final AtomicInteger published = new AtomicInteger();

        public int published() {
            return published.get();
        }

        @OnlyLeader("${reports.name}")
        public void publish() {
            published.incrementAndGet();
        }

        @OnlyLeader("${reports.name}")
        @DistributedLock(value = "${reports.name}/work", waitTime = "1s")
        public void publishUnderLock() {
            published.incrementAndGet();
        }

        @OnlyLeader("${reports.name}")
        public boolean isDone() {
            return true;
        }

        @OnlyLeader("${reports.name}")
        public Optional<String> latest() {
            return Optional.of("a report");
        }

        @OnlyLeader("${reports.name}")
        public @Nullable String name() {
            return "a name";
        }

        @OnlyLeader("${reports.name}")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("a report");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLeaderClass {
        @Bean
        LeaderClass leaderClass() {
            return new LeaderClass();
        }
    }

    @OnlyLeader("${reports.name}")
    static class LeaderClass {
        public boolean isLeader() {
            return true;
        }

        /** Is no method of the leader alone. */
        @Override
        public String toString() {
            return "a bean";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithNumber {
        @Bean
        Counter counter() {
            return new Counter();
        }
    }

    static class Counter {
        @OnlyLeader("${reports.name}")
        public int count() {
            return 1;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFinal {
        @Bean
        Final finalMethod() {
            return new Final();
        }
    }

    static class Final {
        @OnlyLeader("${reports.name}")
        public final void publish() {}
    }

    @OnlyLeader("${reports.name}")
    static class FinalInClass {
        public final void publish() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithProduct {
        @Bean
        FactoryBean<Final> product() {
            return new FactoryBean<>() {
                @Override
                public Final getObject() {
                    return new Final();
                }

                @Override
                public Class<?> getObjectType() {
                    return Final.class;
                }
            };
        }

        @Bean
        String user(Final product) {
            return product.toString();
        }
    }

    interface Named {
        @Nullable Object value();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithNamed {
        @Bean
        Named named() {
            return new Named() {
                @OnlyLeader("${reports.name}")
                @Override
                public @Nullable String value() {
                    return "a value";
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwn {
        @Bean
        Leadership own(LockRegistry registry) {
            return registry.leadership("/boot/own");
        }
    }
}
