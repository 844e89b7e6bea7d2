package com.example.ordershop.order;

import com.example.ordershop.order.Completion.Recomputed;
import com.example.ordershop.statistics.AlreadyCountedException;
import com.example.ordershop.statistics.OrderStatistics;
import io.github.zklock.annotation.DistributedLock;
import org.springframework.stereotype.Service;

/** How an order is completed. */
@Service
class OrderCompletion {

    private final OrderBook orders;
    private final OrderStatistics statistics;

    OrderCompletion(OrderBook orders, OrderStatistics statistics) {
        this.orders = orders;
        this.statistics = statistics;
    }

    /**
     * Completes an order under a lock of its own: who clicks twice, on two instances perhaps, waits for the first click to
     * be done and learns that it was. Different orders do not wait for each other here; what they share are the statistics,
     * and those have a lock of their own.
     */
    @DistributedLock("/orders/#{#orderId}")
    Completion complete(long orderId) {
        Order order = orders.find(orderId);
        if (order.completed()) {
            throw new AlreadyCountedException(orderId);
        }
        return Completion.of(order, Recomputed.WRITTEN, statistics.add(order.sale(), null));
    }
}
