package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.EmbeddedZooKeeperExtension;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages of holders that were overtaken. The clients are those of Kafka itself for tests, which need no broker. */
@ExtendWith(EmbeddedZooKeeperExtension.class)
class KafkaFencingTest {

    private static final TopicPartition PARTITION = new TopicPartition("totals", 0);

    private final MockProducer<String, Long> producer =
            new MockProducer<>(true, null, new StringSerializer(), new LongSerializer());
    private final MockConsumer<String, Long> consumer = new MockConsumer<>("earliest");

    @Test
    void aMessageThatArrivesAfterThatOfALaterHolderIsDropped(EmbeddedZooKeeper zooKeeper) throws InterruptedException {
        TotalsProducer totals = new TotalsProducer(producer);
        try (ZooKeeperLockRegistry locks = open(zooKeeper);
                ZooKeeperLockRegistry elsewhere = open(zooKeeper)) {
            LockHandle lost = acquire(locks);
            assertThat(totals.send("tea", 1, lost)).isDone();
            zooKeeper.expireSession(locks);
            try (LockHandle next = acquire(elsewhere)) {
                assertThat(totals.send("tea", 12, next)).isDone();
                assertThat(totals.send("tea", 13, next)).isDone();
                assertThat(totals.send("tea", 7, lost)).isDone();
                assertThat(totals.send("milk", 7, lost)).isDone();
            }
            OtherProcess.closeLost(lost);
        }

        TotalsConsumer received = consumed(producer.history());

        assertThat(received.totals()).isEqualTo(Map.of("tea", 13L, "milk", 7L));
        assertThat(received.dropped()).isOne();
    }

    private TotalsConsumer consumed(List<ProducerRecord<String, Long>> sent) {
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        for (int offset = 0; offset < sent.size(); offset++) {
            ProducerRecord<String, Long> each = sent.get(offset);
            consumer.addRecord(new ConsumerRecord<>(
                    PARTITION.topic(),
                    PARTITION.partition(),
                    offset,
                    0,
                    TimestampType.CREATE_TIME,
                    0,
                    0,
                    each.key(),
                    each.value(),
                    each.headers(),
                    Optional.empty()));
        }
        TotalsConsumer totals = new TotalsConsumer(consumer);
        totals.poll();
        return totals;
    }

    private static LockHandle acquire(LockRegistry locks) throws InterruptedException {
        return locks.lock("/totals").acquire();
    }

    private static ZooKeeperLockRegistry open(EmbeddedZooKeeper zooKeeper) {
        return ZooKeeperLockRegistry.builder()
                .connectString(zooKeeper.connectString())
                .build();
    }
}
