package io.github.zklock.docs.fencing;

import io.github.zklock.LockHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends totals with the token under which they were computed. */
final class TotalsProducer {

    private final Producer<String, Long> producer;

    TotalsProducer(Producer<String, Long> producer) {
        this.producer = producer;
    }

    Future<RecordMetadata> send(String product, long total, LockHandle handle) {
        ProducerRecord<String, Long> message = new ProducerRecord<>("totals", product, total);
        byte[] token = ByteBuffer.allocate(Long.BYTES)
                .putLong(handle.fencingToken().value())
                .array();
        message.headers().add("fencing-token", token);
        return producer.send(message);
    }
}
