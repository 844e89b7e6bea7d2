package io.github.zklock.docs.fencing;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Keeps the total of each product, and drops what holders send who were overtaken. */
final class TotalsConsumer {

    private final Consumer<String, Long> consumer;
    private final Map<String, Long> totals = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private int dropped;

    TotalsConsumer(Consumer<String, Long> consumer) {
        this.consumer = consumer;
    }

    // snippet:consumer
    void poll() {
        for (ConsumerRecord<String, Long> message : consumer.poll(Duration.ofSeconds(1))) {
            long token = ByteBuffer.wrap(
                            message.headers().lastHeader("fencing-token").value())
                    .getLong();
            if (highest.merge(message.key(), token, Math::max) == token) {
                totals.put(message.key(), message.value());
            } else {
                dropped++;
            }
        }
    }
    // end:consumer

    Map<String, Long> totals() {
        return totals;
    }

    int dropped() {
        return dropped;
    }
}
