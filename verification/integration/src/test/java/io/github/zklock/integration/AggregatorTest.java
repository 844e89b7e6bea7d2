package io.github.zklock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Two aggregators of two processes with one store of messages. */
class AggregatorTest {

    @Test
    void oneAggregatorAtATimeLooksAtAGroup() throws Exception {
        try (var context = new AnnotationConfigApplicationContext(TwoAggregators.class)) {
            TwoAggregators aggregators = context.getBean(TwoAggregators.class);

            CompletableFuture<Void> left = send(context, "left", "one");
            assertThat(aggregators.looking.await(1, TimeUnit.MINUTES)).isTrue();
            CompletableFuture<Void> right = send(context, "right", "two");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !aggregators.rightProcess.inspector().awaited().isEmpty());
            aggregators.goOn.countDown();

            Message<?> whole = context.getBean("out", QueueChannel.class).receive(60_000);
            assertThat(whole).isNotNull();
            assertThat(whole.getPayload()).isEqualTo(List.of("one", "two"));
            CompletableFuture.allOf(left, right).get(1, TimeUnit.MINUTES);
            assertThat(aggregators.leftProcess.inspector().held()).isEmpty();
            assertThat(aggregators.rightProcess.inspector().held()).isEmpty();
        }
    }

    private static CompletableFuture<Void> send(
            AnnotationConfigApplicationContext context, String channel, String payload) {
        // a thread for each: the common pool of a small machine has one, which the other would wait for
        return CompletableFuture.runAsync(
                () -> context.getBean(channel, MessageChannel.class).send(new GenericMessage<>(payload)),
                task -> new Thread(task, channel).start());
    }

    @Configuration
    @EnableIntegration
    static class TwoAggregators {

        final CountDownLatch looking = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final InMemoryLockCluster cluster = new InMemoryLockCluster();
        final InMemoryLockRegistry leftProcess = cluster.join();
        final InMemoryLockRegistry rightProcess = cluster.join();

        @Bean
        QueueChannel out() {
            return new QueueChannel();
        }

        @Bean
        SimpleMessageStore store() {
            return new SimpleMessageStore();
        }

        @Bean
        IntegrationFlow leftFlow(SimpleMessageStore store) {
            return flow("left", leftProcess, store);
        }

        @Bean
        IntegrationFlow rightFlow(SimpleMessageStore store) {
            return flow("right", rightProcess, store);
        }

        private IntegrationFlow flow(String name, InMemoryLockRegistry process, SimpleMessageStore store) {
            return IntegrationFlow.from(name)
                    .aggregate(aggregator -> aggregator
                            .lockRegistry(new ZkLockIntegrationRegistry(process, "/integration"))
                            .messageStore(store)
                            .correlationStrategy(message -> "the only group")
                            .releaseStrategy(this::isComplete))
                    .channel("out")
                    .get();
        }

        private boolean isComplete(MessageGroup group) {
            looking.countDown();
            try {
                assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return group.size() == 2;
        }
    }
}
