package com.example.ordershop.order;

import com.example.ordershop.order.Completion.Recomputed;
import com.example.ordershop.statistics.Sale;
import com.example.ordershop.statistics.StaleWriteException;
import com.example.ordershop.statistics.StatisticsService;
import com.example.ordershop.stock.Product;
import com.example.ordershop.stock.StockService;
import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

@Service
class OrderService {

    private final OrderRepository orders;
    private final StockService stock;
    private final StatisticsService statistics;

    OrderService(OrderRepository orders, StockService stock, StatisticsService statistics) {
        this.orders = orders;
        this.stock = stock;
        this.statistics = statistics;
    }

    Order place(LocalDate day, String productName, int quantity) {
        Product product = stock.product(productName);
        return orders.add(day, product.name(), quantity, product.priceCents() * quantity);
    }

    /**
     * Completes an order under a lock of that order: a second click, possibly on another instance, waits for the first one
     * and is rejected. Different orders share only the lock of the statistics.
     *
     * @throws StaleWriteException if a later holder has claimed the statistics; nothing was changed
     */
    @DistributedLock("/orders/#{#orderId}")
    Completion complete(long orderId) {
        Order order = find(orderId);
        FencingToken token = statistics.add(sale(order), null);
        return Completion.of(order, Recomputed.WRITTEN, token);
    }

    /** Records a rejected completion. Call it without a lock: a caller that has lost its lock cannot commit. */
    Completion refused(long orderId, StaleWriteException stale) {
        Order order = find(orderId);
        statistics.recordRefused(sale(order), stale);
        return Completion.of(order, Recomputed.REFUSED, stale.token());
    }

    private Order find(long id) {
        return orders.find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id));
    }

    private static Sale sale(Order order) {
        return new Sale(order.id(), order.day(), order.product(), order.amountCents());
    }
}
